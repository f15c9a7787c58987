import { scheduled } from '../lib/http/scheduled.ts';
import { sender } from '../lib/roots/events.ts';

/** Sends the changes of the feed as events until all are sent or the time is over. */
export const handler = scheduled({
  // Enough for a page.
  lastMs: 15_000,
  run: (milliseconds, tell) => sender.run(milliseconds, tell),
  numbers: ({ sent, lagMs }) => [
    ['sentEvents', sent],
    ['eventsLagSeconds', lagMs / 1_000],
  ],
});
