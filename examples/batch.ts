// Gives users, by their external ids, an attribute.
import { setTimeout } from 'node:timers/promises';
import { api } from './client.ts';

const [name = '', value = '', ...externalIds] = process.argv.slice(2);
const query = { externalId: externalIds, size: 100 };
const { data: page } = await api.GET('/api/users', { params: { query } });
let left = (page?.content ?? []).map(({ id }) => ({
  op: 'patch' as const,
  id,
  patch: { attributes: { [name]: value } },
}));
for (let tries = 1; left.length > 0 && tries <= 5; tries++) {
  const { data, error } = await api.POST('/api/users/batch', { body: { operations: left } });
  if (!data) throw new Error(JSON.stringify(error));
  for (const { status, message } of data.results) if (status >= 400 && status !== 503) console.error(message);
  left = left.filter((_, place) => data.results[place]?.status === 503);
  if (left.length > 0) await setTimeout(1_000 * tries);
}
if (left.length > 0) throw new Error(`${left.length} users could not be changed`);
