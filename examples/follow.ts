import { headers, readArguments, url } from './client.ts';
import type { components } from './openapi.d.ts';

type User = components['schemas']['User'];
const [query = ''] = readArguments("node follow.ts ['?query']", 0, 1);
if (!/^(?:\?|$)/.test(query)) throw new Error(`A query begins with ?, and not so: ${query}`);
let next: string | undefined = `${url}/api/users${query}`;
while (next) {
  const response: Response = await fetch(next, { headers });
  if (!response.ok) throw new Error(await response.text());
  const users = (await response.json()) as User[] | { content: User[] };
  for (const { name } of Array.isArray(users) ? users : users.content) console.log(name);
  const [, target] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  next = target && new URL(target, url).href;
}
