import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Figure, Measurement } from '../../bench/figures.ts';
import { serverTiming } from '../../lib/http/response/serverTiming.ts';
import { needsToken, ROUTES } from '../../lib/http/routes.ts';
import { people } from '../../lib/tooling/local/people.ts';
import { CALM_JOURNAL } from '../../lib/tooling/moving/pace.ts';
import { STEPS } from '../../lib/tooling/operations/smokeSteps.ts';
import { createdAt } from '../../lib/users/ids.ts';
import { USERS_INDEXES } from '../../lib/users/indexes.ts';
import { FORMAT } from '../../lib/users/journal/head.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import { FAULTS } from '../support/fake/faults.ts';

/** Numbers that readers believe. Each is compared with its source. */
const ROOT = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const number = (value: number): string => value.toLocaleString('en-US');

const measured: Measurement[] = JSON.parse(read('bench/results.json'));

function figuresOf(users: number, title: RegExp): Figure[] {
  const { figures = {} } = measured.find((measurement) => measurement.users === users) ?? {};
  const found = Object.entries(figures).flatMap(([each, figure]) => (title.test(each) ? [figure] : []));
  if (found.length === 0) throw new Error(`${title} was not measured at ${users} users`);
  return found;
}

const mostOf = (users: number, title: RegExp): number =>
  Math.max(...figuresOf(users, title).map(({ units }) => units.most));

/** Lines about pages by keyword, without their times. */
const KEYWORD = /^keyword .* (order|name)$|^(\d\+? )?letters?[ ,]/;

// The tags of CloudFormation, such as !GetAtt, do not matter here.
const { params, functions } = parse(read('serverless.yml'), { logLevel: 'silent' }) as {
  params: Record<string, Record<string, number>>;
  functions: Record<string, object>;
};

const WORDS = { 15: 'fifteen', 20: 'twenty' } as Record<number, string>;

describe('a number in the documentation', () => {
  const first = { calls: 2, writeUnits: 0, readUnits: mostOf(100_000, /^before many parallel writes$/), dynamoMs: 4 };
  const beside = figuresOf(100_000, /^first page by name in the last minute, read units$/)[0]?.units;
  const [post, page] = [/^POST, as a multiple/, /^first page by name, as a multiple/].map((title) =>
    Math.round(figuresOf(100_000, title)[0]?.units.median ?? 0),
  );
  const [dearest, dear, cheap] = figuresOf(100_000, /^dollars for a million/).map(({ units }) =>
    Math.round(units.most),
  );
  const [batch] = figuresOf(1_000_000, /^a batch after a cursor$/);

  test.each([
    ['README.md', `${serverTiming({ ...first, plan: 'slice byName', journal: 0 })}\``],
    // The sender of events is left out: only a stage with events has it.
    ['README.md', `${WORDS[Object.keys(functions).length - 1]} functions`],
    [
      'README.md',
      `up to ${number(mostOf(100_000, KEYWORD))} units at 100,000 users and ${number(mostOf(1_000_000, KEYWORD))} at a million`,
    ],
    ['README.md', `costs up to ${number(mostOf(100_000, /^half of all users, another order, any page$/))} units`],
    ['README.md', `Above ${number(SIZES.budgetUnits)} (`],
    [
      'README.md',
      `about ${number(Math.round(mostOf(100_000, /^entries a second$/)))} entries of the journal per second`,
    ],
    ['README.md', `a first page costs ${beside?.median} units, at most ${beside?.most}, and takes ${page}`],
    ['README.md', `a POST ${post} times`],
    [
      'README.md',
      `${Math.round(mostOf(100_000, /^seconds after it until the journal costs one read unit$/))} seconds after`,
    ],
    [
      'README.md',
      `At a million users it takes ${number(Math.round(mostOf(1_000_000, /^entries a second$/)))} per second`,
    ],
    ['README.md', `a million creates cost ${dearest}, ${dear} and ${cheap} dollars`],
    ['README.md', `minimum age (${Number(params.default?.minimumAge) / 1_000} s)`],
    ['docs/runbook.md', `a batch costs ${batch?.units.most} units`],
    ['docs/architecture.md', `${USERS_INDEXES.length} indexes`],
    ['docs/data-model.md', `Indexes (${USERS_INDEXES.length};`],
    ['docs/data-model.md', `| ${number(SIZES.batchEntries)} entries or `],
    ['docs/decisions/0006-segments.md', `more than ${SIZES.segmentUsers} users is cut`],
    ['docs/deployment.md', `DynamoDB allows 20 indexes per table; ${USERS_INDEXES.length} are in use`],
    ['docs/deployment.md', `${number(SIZES.budgetUnits)} unless set`],
    ['docs/deployment.md', `in ${WORDS[STEPS.length]} steps`],
    ['docs/moving.md', `above ${number(CALM_JOURNAL)} entries fewer requests are sent`],
    ['docs/reliability.md', `each of ${FAULTS.length} faults`],
    ['bench/README.md', `the whole budget, ${number(SIZES.budgetUnits)} units`],
  ])('in %s is as it was measured, or as the sources say: "%s"', (file, sentence) => {
    expect(read(file)).toContain(sentence);
  });
});

test('the budget of a listing is the same in a stage and without one', () => {
  expect(params.default?.listingBudget).toBe(SIZES.budgetUnits);
});

test('the newest format in the changelog is the one that is written', () => {
  expect(read('CHANGELOG.md').match(/\(format (\d+)\)/)?.[1]).toBe(String(FORMAT));
});

test('the README shows a user whose id was given when it was created', () => {
  const [, id, time] = read('README.md').match(/\{"id":(\d+),.*"createdAt":"([^"]*)"\}/) ?? [];
  expect(createdAt(Number(id))).toBe(time);
});

test('the users of the benchmark have as many countries and last names as the README says', () => {
  const [, countries, thousands] =
    read('README.md').match(/100,000 users of (\d+) countries with about (\d+),000 last names/) ?? [];
  const source = people(1);
  const users = Array.from({ length: 100_000 }, () => source.next().value);
  const distinct = (field: 'country' | 'lastName') => new Set(users.flatMap((user) => user[field] ?? [])).size;
  expect([distinct('country'), Math.round(distinct('lastName') / 1_000)]).toEqual([
    Number(countries),
    Number(thousands),
  ]);
});

test('the documentation has the limits of the stages from serverless.yml', () => {
  const stages = ['default', 'staging', 'prod'].map((stage) => ({ ...params.default, ...params[stage] }));
  const row = (name: string, cells: string[]) => `| ${name} | ${cells.join(' | ')}`;
  const rates = stages.map(({ requestsPerSecond = 0, burst = 0 }) => `${number(requestsPerSecond)} (${number(burst)})`);
  expect(read('docs/deployment.md')).toContain(row('requests per second (burst)', rates));
  expect(read('docs/deployment.md')).toContain(
    row(
      'logs kept',
      stages.map(({ logRetentionInDays }) => `${logRetentionInDays} days`),
    ),
  );
});

test('the table of the API has every operation that needs a token, with its scopes', () => {
  const rows = [...read('docs/api.md').matchAll(/^\| `([A-Z]+ \/api\/users\S*)` \|.*\| (`users:.*`) \|$/gm)];
  const shown = rows.map(([, operation, scopes]) => `${operation} ${scopes}`);
  const wanted = ROUTES.filter(needsToken).map(
    ({ method, path, scopes }) => `${method} ${path} ${scopes.map((scope) => `\`${scope}\``).join(', ')}`,
  );
  expect(shown.toSorted()).toEqual(wanted.toSorted());
});

test('the table of commands has every script of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = Object.keys(scripts).filter((name) => !name.startsWith('pre'));
  const [, table = ''] = read('CONTRIBUTING.md').split('## Commands');
  expect(commands.filter((name) => !new RegExp(`\`(npm run |npm )?${name}[ \`]`).test(table))).toEqual([]);
});

test('the README is at most 130 lines', () => {
  expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(130);
});

test('every file of docs/ is in the table of its README', () => {
  const files = readdirSync(new URL('docs/', ROOT)).filter(
    (file) => !['README.md', 'pictures', 'scale.svg'].includes(file),
  );
  const map = read('docs/README.md');
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !map.includes(`](${file})`))).toEqual([]);
});

test('the README shows a search among the seeded users, and how many it finds', () => {
  const [, seeded] = read('README.md').match(/npm run seed -- --users (\d+)/) ?? [];
  const [, keyword = '', size] = read('README.md').match(/keyword=(\w+)&sort=lastName&page=1&size=(\d+)/) ?? [];
  const source = people(1);
  const users = Array.from({ length: Number(seeded) }, () => source.next().value);
  const found = users.filter(({ lastName = '' }) => lastName.toLowerCase().includes(keyword)).length;
  expect(read('README.md')).toContain(`"totalElements":${found},"totalPages":${Math.ceil(found / Number(size))},`);
});
