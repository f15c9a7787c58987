import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { api } from './client.ts';
import type { components } from './openapi.d.ts';

type Copy = { after?: string | undefined; users: Record<number, components['schemas']['User']> };
const copy: Copy = existsSync('copy.json') ? JSON.parse(readFileSync('copy.json', 'utf8')) : { users: {} };
for (let isMore = true; isMore; writeFileSync('copy.json', JSON.stringify(copy))) {
  const after = copy.after ?? 'now';
  const { data, error, response } = await api.GET('/api/users/changes', { params: { query: { after } } });
  if (response.status === 410 && copy.after) copy.after = undefined;
  else if (!data) throw new Error(JSON.stringify(error));
  if (!data) continue;
  if (!copy.after) {
    // The token first, then all users: what happens in between comes again. The token counts when the users are there.
    const all = await api.GET('/api/users/all');
    if (!all.data) throw new Error(JSON.stringify(all.error));
    copy.users = Object.fromEntries(all.data.map((user) => [user.id, user]));
  }
  for (const { id, type, user } of data.changes) {
    if (type === 'deleted') delete copy.users[id];
    else if (user) copy.users[id] = user;
  }
  isMore = !copy.after || data.changes.length > 0;
  copy.after = data.next;
}
