/** `node tools/doors/install.ts`: installs the packages that doors have of their own. Their tests need them. */
import { doorNames, findDoor } from './doors.ts';
import { installPackages } from './packages.ts';

for (const name of doorNames()) installPackages(findDoor(name));
