// Verifies webhooks as the official library does: a line for each, which is empty, or says why it is refused.
import { json } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

for (const { secret, body, headers } of await json(process.stdin)) {
  try {
    new Webhook(secret).verify(body, headers);
    console.log();
  } catch (error) {
    console.log(error.message);
  }
}
