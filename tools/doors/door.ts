/** `npm run door -- scim …`: starts a door on this machine, packages it, or deploys it beside a stage. */
import { required } from '../program/options.ts';
import { runMain, Stop } from '../program/stop.ts';
import { buildDoor, deployDoor } from './deployment.ts';
import { findDoor } from './doors.ts';
import { startDoor } from './local.ts';
import { readOptions, USAGE } from './options.ts';

async function main(): Promise<number> {
  const { values, positionals } = readOptions();
  const [name, another] = positionals;
  const door = findDoor(required('The name of the door', name, USAGE));
  if (another !== undefined) throw new Stop(`Name one door only, without ${another}: options go after --`);
  if (values.package) {
    process.stdout.write(`Door ${door.name} is packaged in ${await buildDoor(door, values)}.\n`);
    return 0;
  }
  return values.deploy ? deployDoor(door, values) : startDoor(door, values);
}

runMain(main);
