import { build } from 'esbuild';
import type { Operation } from '../http/routes.ts';
import type { Described } from './described.ts';
import { readDescriptions } from './sources.ts';

/** The descriptions of all endpoints. A bundle has them ready (tools/deploy/bundle.ts), without this module. */
export const OPERATIONS = (await readDescriptions(build)) as Readonly<Record<Operation, Described>>;
