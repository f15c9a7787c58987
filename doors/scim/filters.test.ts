import fc from 'fast-check';
import { parse, filter as predicateOf } from 'scim2-parse-filter';
import { beforeAll, expect, test } from 'vitest';
import { doorForFile } from '../../tests/support/scim.ts';

/** More for a long run. */
const RUNS = 200 * Number(process.env.TIMES ?? 1);

const { scim } = await doorForFile();

interface Person {
  userName: string;
  title?: string;
  externalId?: string;
  active?: boolean;
  name?: { givenName: string };
  emails?: { value: string }[];
}

const PEOPLE: Person[] = [
  { userName: 'ab', title: 'a', active: true, name: { givenName: 'Ab' } },
  { userName: 'bA', title: 'A', active: false, emails: [{ value: 'a@b' }] },
  { userName: 'aba', title: 'ab', name: { givenName: 'b' }, externalId: 'a' },
  { userName: 'b', externalId: 'A', emails: [{ value: 'B@a' }] },
  { userName: 'bb', title: 'b', active: true, externalId: 'b', emails: [{ value: 'b@b' }] },
  { userName: 'a"b', title: 'a"' },
];

/** The value of an attribute, and whether "eq" compares it exactly. */
const ATTRIBUTES: Record<string, [(person: Person) => string | boolean | undefined, isExact: boolean]> = {
  userName: [({ userName }) => userName, false],
  title: [({ title }) => title, true],
  externalId: [({ externalId }) => externalId, true],
  active: [({ active }) => active, false],
  'name.givenName': [({ name }) => name?.givenName, false],
  'emails.value': [({ emails }) => emails?.[0]?.value, false],
};

/** The meaning of an operator (RFC 7644, section 3.4.2.2), of texts without case. */
const MEANING: Record<string, (value: string, other: string) => boolean> = {
  eq: (value, other) => value === other,
  ne: (value, other) => value !== other,
  co: (value, other) => value.includes(other),
  sw: (value, other) => value.startsWith(other),
  ew: (value, other) => value.endsWith(other),
};

interface Question {
  text: string;
  isMet: (person: Person) => boolean;
}

const comparison = fc
  .record({
    path: fc.constantFrom(...Object.keys(ATTRIBUTES)),
    op: fc.constantFrom('eq', 'eq', 'ne', 'co', 'sw', 'ew', 'pr'),
    value: fc.constantFrom('a', 'A', 'b', 'ab', 'AB', 'a"', '@b', 'a@b', '', true, false),
  })
  .map(({ path, op, value }): Question => {
    const [valueIn, isExact] = ATTRIBUTES[path] ?? [() => undefined, false];
    const isMet = (person: Person) => {
      const is = valueIn(person);
      if (op === 'pr' || is === undefined) return op === 'ne' || (op === 'pr' && is !== undefined);
      if (isExact && (op === 'eq' || op === 'ne')) return (is === value) === (op === 'eq');
      return MEANING[op]?.(String(is).toLowerCase(), String(value).toLowerCase()) ?? false;
    };
    return { text: `${path} ${op}${op === 'pr' ? '' : ` ${JSON.stringify(value)}`}`, isMet };
  });

const { question } = fc.letrec<{ question: Question }>((tie) => ({
  question: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 3, arbitrary: comparison },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('question'), tie('question')).map(([a, b]) => ({
        text: `(${a.text}) and (${b.text})`,
        isMet: (person: Person) => a.isMet(person) && b.isMet(person),
      })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('question'), tie('question')).map(([a, b]) => ({
        text: `(${a.text}) or (${b.text})`,
        isMet: (person: Person) => a.isMet(person) || b.isMet(person),
      })),
    },
    {
      weight: 1,
      arbitrary: tie('question').map(({ text, isMet }) => ({
        text: `not (${text})`,
        isMet: (person: Person) => !isMet(person),
      })),
    },
  ),
}));

beforeAll(async () => {
  for (const person of PEOPLE) expect((await scim('POST', '/Users', person)).status).toBe(201);
});

test('a filter at random is refused, or matches whom it means', async () => {
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(question, async ({ text, isMet }) => {
      const { status, body } = await scim('POST', '/Users/.search', { filter: text });
      if (status === 400) {
        expect(body.scimType).toBe('invalidFilter');
        return;
      }
      answered++;
      const found: string[] = body.Resources.map(({ userName }: Person) => userName);
      expect(found.sort(), text).toEqual(
        PEOPLE.filter(isMet)
          .map(({ userName }) => userName)
          .sort(),
      );
    }),
    { numRuns: RUNS },
  );
  expect(answered).toBeGreaterThan(RUNS / 5);
});

/** Filters as people write them, without the brackets that precedence makes needless. They deny by `not` alone: the other parser has another `ne` of nothing. */
const { spoken } = fc.letrec<{ spoken: string }>((tie) => {
  const word = (text: string) => fc.constantFrom(text, text.toUpperCase());
  const test = fc
    .record({
      path: fc.constantFrom('userName', 'USERNAME', 'name.givenName', 'emails.value', 'emails[type eq "work"].value'),
      op: fc.constantFrom('eq', 'co', 'sw', 'EW'),
      value: fc.constantFrom('a', 'b', 'ab', '@b', 'a@b', 'a"'),
    })
    .map(({ path, op, value }) => `${path} ${op} ${JSON.stringify(value)}`);
  const other = fc.constantFrom(
    ...['active eq true', 'title pr', 'emails pr', 'emails[value co "b" and type eq "work"]', 'title co "A"'],
  );
  const pair = (joined: string) =>
    fc.tuple(tie('spoken'), word(joined), tie('spoken')).map(([a, by, b]) => `${a} ${by} ${b}`);
  return {
    spoken: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 3, arbitrary: fc.oneof(test, other) },
      { weight: 2, arbitrary: pair('and') },
      { weight: 2, arbitrary: pair('or') },
      { weight: 1, arbitrary: tie('spoken').map((of) => `(${of})`) },
      { weight: 1, arbitrary: fc.tuple(word('not'), tie('spoken')).map(([not, of]) => `${not} (${of})`) },
    ),
  };
});

test('a filter at random means the same to the parser of scim2-parse-filter', async () => {
  const { body: all } = await scim('GET', '/Users');
  // That parser compares exactly, and the door ignores case where the filters above do.
  const lower = (value: unknown) => JSON.parse(JSON.stringify(value).toLowerCase());
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(spoken, async (text) => {
      const { status, body } = await scim('POST', '/Users/.search', { filter: text });
      if (status === 400) {
        expect(body.scimType).toBe('invalidFilter');
        return;
      }
      answered++;
      const isMet = predicateOf(parse(text.toLowerCase()));
      const expected = all.Resources.filter((each: object) => isMet(lower(each)));
      const idsOf = (users: { id: string }[]) => users.map(({ id }) => id).sort();
      expect(idsOf(body.Resources), text).toEqual(idsOf(expected));
    }),
    { numRuns: RUNS },
  );
  expect(answered).toBeGreaterThan(RUNS / 2);
});
