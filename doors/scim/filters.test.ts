import fc from 'fast-check';
import { expect, test } from 'vitest';
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

test('a filter at random is refused, or matches whom it means', async () => {
  for (const person of PEOPLE) expect((await scim('POST', '/Users', person)).status).toBe(201);
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
