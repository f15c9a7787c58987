import { listIn } from './answers.ts';
import { type Api, Refusal } from './api.ts';

/** Names of attributes as the service allows them. Another one is no answer of it, and not told. */
const NAME = /^[A-Za-z][\w-]{0,62}$/;

/** The most names that a text has. */
const MOST_NAMES = 100;

/** Users of a page. */
const SIZE = 100;

type Seen = { attributes?: Record<string, unknown> };

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list of texts' : typeof value);

/** Attributes of users, with the kinds of the values of each. */
function seenIn(users: readonly Seen[]): string {
  const kinds = new Map<string, Set<string>>();
  for (const [name, value] of users.flatMap(({ attributes = {} }) => Object.entries(attributes)))
    if (NAME.test(name)) kinds.set(name, (kinds.get(name) ?? new Set()).add(kindOf(value)));
  const shown = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MOST_NAMES);
  return shown.map(([name, each]) => `${name} (${[...each].sort().join(' or ')})`).join(', ');
}

/** A sentence about the attributes of the users who were created first and last: no request lists those of all. Empty if the caller may not see them, or nobody knows at the moment. */
export async function attributesInUse(ask: Api): Promise<string> {
  const page = async (sort: string) =>
    listIn<Seen>(await ask('GET', '', { fields: 'attributes', size: SIZE, sort }), 'content');
  try {
    const seen = seenIn((await Promise.all([page('id'), page('id,desc')])).flat());
    return seen && `. Attributes of the first and last ${SIZE} users: ${seen}; others may have more`;
  } catch (error) {
    if (error instanceof Refusal) return '';
    throw error;
  }
}
