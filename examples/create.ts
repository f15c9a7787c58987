import { setTimeout } from 'node:timers/promises';
import { api, readArguments } from './client.ts';

const [key = crypto.randomUUID()] = readArguments('node create.ts [key]', 0, 1); // Keep it with the user until there is an answer.

async function retrying(request: Request): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(request.clone()).catch((error) => (tries < 6 ? undefined : Promise.reject(error)));
    if (response && (tries === 6 || (response.status !== 429 && response.status < 500))) return response;
    const seconds = Number(response?.headers.get('retry-after') ?? 2 ** tries / 10);
    await setTimeout(seconds * (1 + Math.random() / 10) * 1_000); // Spread a little: others wait, too.
  }
}
const params = { header: { 'Idempotency-Key': key } };
const { data, error } = await api.POST('/api/users', { params, body: { name: 'Ann Lee' }, fetch: retrying });
if (!data) throw new Error(JSON.stringify(error));
console.log(JSON.stringify(data));
