import type { Follower } from './door.ts';
import { settings } from './lambda.ts';
import { withMemory } from './memory.ts';

/** A call of the service, and one of the receiver, may last for as many milliseconds together. Later a run begins no other. */
const SPARE_MS = 50_000;

interface Context {
  getRemainingTimeInMillis: () => number;
}

/** A follower as a function of Lambda, which a schedule calls. A run ends quietly if another one is at work. */
export const onSchedule = (door: Follower) => async (_: object, context: Context) => {
  const run = door.follow(await settings());
  const hasTime = () => context.getRemainingTimeInMillis() > SPARE_MS;
  await withMemory(process.env.TABLE ?? '', context.getRemainingTimeInMillis(), (memory) => run(memory, hasTime));
};
