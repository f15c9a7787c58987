import { expect, test } from 'vitest';
import { handlerCalls } from '../../support/calls.ts';
import { read } from '../../support/files.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

logOfEachTest();

const service = await serviceOn.embedded();
const call = await handlerCalls(service);

const DAY = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

await service.users.createMany([
  {
    ...{ name: 'Ann', email: 'ann@acme.com', status: 'active' },
    attributes: { lastSeen: daysAgo(61), contractEnd: '2026-12-31', groups: ['admins', 'sales'], team: 'red' },
  },
  {
    ...{ name: 'Bea', email: 'bea@acme.com', status: 'left' },
    attributes: { lastSeen: daysAgo(59), contractEnd: '2027-01-01', groups: ['sales'], team: 'red' },
  },
  { name: 'Cem', status: 'active', attributes: { lastSeen: daysAgo(0), contractEnd: '2025-12-31', groups: ['it'] } },
  { name: 'Dan', email: 'ann@acme.com', status: 'new', attributes: { contractEnd: '2026-01-01', team: 'blue' } },
]);

const month = new Date().toISOString().slice(0, 7);

/** By the question: names, or counts. */
const ANSWERS: Record<string, string | object[]> = {
  'Who has not signed in for 60 days?': 'Ann',
  'Who has never signed in?': 'Dan',
  'Whose contract ends in 2026?': 'Ann Dan',
  'Who has no e-mail?': 'Cem',
  'Who is there twice?': [
    { email: 'ann@acme.com', count: 2 },
    { email: 'bea@acme.com', count: 1 },
  ],
  'Who has changed since yesterday?': 'Dan Cem Bea Ann',
  'Who is in a group?': 'Ann',
  'Who is in one of two groups?': 'Ann Bea',
  'Who is in no group?': 'Dan',
  'How many came each month?': [{ 'createdAt.month': month, count: 4 }],
  'How many has each team?': [
    { 'attributes.team': 'red', count: 2 },
    { 'attributes.team': 'blue', count: 1 },
    { count: 1 },
  ],
  'Who is of a domain, and not active?': 'Bea Dan',
};

/** The questions of examples/README.md, each with its request. */
const QUESTIONS = [...read('examples/README.md').matchAll(/^\| (\w[^|]*\?) \| `(\/api\/users[^`]*)`/gm)].map(
  ([, question = '', path = '']) => [question, path] as const,
);

test('the questions of the page are those that are answered here', () => {
  expect(QUESTIONS.map(([question]) => question)).toEqual(Object.keys(ANSWERS));
});

test.each(QUESTIONS)('%s %s', async (question, path) => {
  const { status, body } = await call('GET', path);
  expect(status).toBe(200);
  const answer = Array.isArray(body) ? body.map(({ name }) => name).join(' ') : (body as { counts: object[] }).counts;
  expect(answer).toEqual(ANSWERS[question]);
});
