/** Uses a generated client, and ends with an error at the first response that is not as the API promises. */
import { deepStrictEqual } from 'node:assert';
import { Configuration, UsersApi } from '../../../.local/clients/out/typescript/index.ts';

const api = new UsersApi(new Configuration({ basePath: process.argv[2] ?? '' }));
const status = [`typescript${Date.now()}`];
for (const [name, team] of Object.entries({ Ann: 'red', Bea: 'blue', Cem: 'red' })) {
  await api.createUser({ userInput: { name, status: status[0], attributes: { team } } });
}

const red = await api.listUsers({ status, attributes: { 'attributes.team': 'red', 'attributes.team.not': 'blue' } });
deepStrictEqual(
  red.content.map(({ name }) => name),
  ['Ann', 'Cem'],
);

/** A walk: each response is an array, for which the client has no type, and the link has the next place. */
const walked = [];
let after = '';
while (after !== undefined) {
  const { raw } = await api.listUsersRaw({ status, after, size: 2, sort: ['name,desc'] });
  walked.push(...(await raw.json()).map(({ name }) => name));
  const [, next] = /<([^>]*)>; rel="next"/.exec(raw.headers.get('link') ?? '') ?? [];
  after = next && (new URL(next, process.argv[2]).searchParams.get('after') ?? undefined);
}
deepStrictEqual(walked, ['Cem', 'Bea', 'Ann']);
