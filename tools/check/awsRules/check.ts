/** For the stand-in for AWS: reads the resources of a template and of the deployed one, and says why AWS would refuse them. */
import { json } from 'node:stream/consumers';
import type { Resources } from './rule.ts';
import { refusalsOf } from './rules.ts';

const { after, before } = (await json(process.stdin)) as Record<'after' | 'before', Resources>;
process.stdout.write(refusalsOf(after, before).join('\n'));
