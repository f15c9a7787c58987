import { api, readArguments } from './client.ts';

const [id = ''] = readArguments('node birthday.ts <id>', 1);
if (!/^\d{1,16}$/.test(id)) throw new Error(`${id} is no id of a user`);
const path = { id: Number(id) };
for (let tries = 1, isDone = false; !isDone; tries++) {
  const { data: user, response } = await api.GET('/api/users/{id}', { params: { path } });
  if (!user) throw new Error(`Status ${response.status}`);
  const header = { 'If-Match': response.headers.get('etag') ?? '' };
  const answer = await api.PATCH('/api/users/{id}', { params: { path, header }, body: { age: (user.age ?? 0) + 1 } });
  if (answer.error && (answer.response.status !== 412 || tries === 10)) throw new Error(JSON.stringify(answer.error));
  isDone = answer.data !== undefined;
}
