import { currentMeter, note } from '../ground/index.ts';

/** @param loaded the megabytes of a base that was loaded, and in how many milliseconds; absent if the container had the users */
export function noteReplica(loaded?: { megabytes: number; milliseconds: number }): void {
  if (loaded) note({ replica: `${loaded.megabytes.toFixed(1)} MB in ${Math.round(loaded.milliseconds)} ms` });
  else if (currentMeter()?.replica === undefined) note({ replica: 'warm' });
}
