import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { api, readArguments } from './client.ts';
import type { components } from './openapi.d.ts';

readArguments('node copy.ts', 0);
type Copy = { after?: string | undefined; users: Record<number, components['schemas']['User']> };
const copy: Copy = existsSync('copy.json') ? JSON.parse(readFileSync('copy.json', 'utf8')) : { users: {} };
if (typeof copy.users !== 'object') throw new Error('copy.json is no copy: move it away');
for (let isMore = true; isMore; save()) {
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

/** A copy is whole, or the one before. */
function save(): void {
  writeFileSync('copy.json.new', JSON.stringify(copy));
  renameSync('copy.json.new', 'copy.json');
}
