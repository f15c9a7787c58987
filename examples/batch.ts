// Gives users, by their external ids, an attribute.
import { setTimeout } from 'node:timers/promises';
import { api, readArguments } from './client.ts';

const usage = 'node batch.ts <attribute> <value> <externalId> …';
const [name = '', value = '', ...externalIds] = readArguments(usage, 3, Number.POSITIVE_INFINITY);
const asked = [...new Set(externalIds)];
let failures = 0;
for (let start = 0; start < asked.length; start += 100) {
  const some = asked.slice(start, start + 100); // A request takes a hundred.
  const query = { externalId: some, size: 100 };
  const { data: page, error } = await api.GET('/api/users', { params: { query } });
  if (!page) throw new Error(JSON.stringify(error));
  const found = new Set(page.content.map(({ externalId }) => externalId));
  for (const id of some.filter((each) => !found.has(each))) {
    console.error(`Nobody has the external id ${id}`);
    failures++;
  }
  let left = page.content.map(({ id }) => ({ op: 'patch' as const, id, patch: { attributes: { [name]: value } } }));
  for (let tries = 1; left.length > 0 && tries <= 5; tries++) {
    const { data, error } = await api.POST('/api/users/batch', { body: { operations: left } });
    if (!data) throw new Error(JSON.stringify(error));
    for (const { status, message } of data.results)
      if (status >= 400 && status !== 503) {
        console.error(message);
        failures++;
      }
    left = left.filter((_, place) => data.results[place]?.status === 503);
    if (left.length > 0) await setTimeout(1_000 * tries);
  }
  if (left.length > 0) throw new Error(`${left.length} users could not be changed`);
}
if (failures > 0) process.exitCode = 1;
