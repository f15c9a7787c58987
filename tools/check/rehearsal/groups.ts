import { deepEqual } from 'node:assert/strict';

/** Pushes a group with one member, renames it, and deletes it: all that the door does with its table. */
export async function pushGroup(address: string, authorization: string, user: string): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization, 'content-type': 'application/scim+json' };
    const response = await fetch(`${address}/scim/v2/${path}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), text };
  };
  const made = await call('POST', 'Groups', { displayName: 'Rehearsed', members: [{ value: user }] });
  deepEqual(made.status, 201, made.text);
  const path = `Groups/${made.body.id}`;
  const Operations = [{ op: 'replace', path: 'displayName', value: 'Renamed' }];
  const renamed = await call('PATCH', path, { Operations });
  deepEqual(renamed.status, 204, renamed.text);
  const found = await call('GET', `Groups?filter=members.value%20eq%20%22${user}%22`);
  deepEqual(found.body.totalResults, 1, found.text);
  deepEqual((await call('GET', `Users/${user}`)).body.groups, [{ value: made.body.id, display: 'Renamed' }]);
  const deleted = await call('DELETE', path);
  deepEqual(deleted.status, 204, deleted.text);
}
