import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { METHOD_DOLLARS, monitoring } from '../../bench/dollars.ts';
import type { Measurement } from '../../bench/figures.ts';
import { simulateCut } from '../../bench/scale.ts';
import { ENTRY_SIZES, HEAD_BYTES, simulate } from '../../bench/simulation.ts';
import { serverTiming } from '../../lib/http/response/serverTiming.ts';
import { needsToken, ROUTES } from '../../lib/http/routes.ts';
import { alarmsOf } from '../../lib/tooling/deploy/alarms.ts';
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

function unitsOf(users: number, title: string): { median: number; most: number } {
  const units = measured.find((measurement) => measurement.users === users)?.figures[title]?.units;
  if (!units) throw new Error(`${title} was not measured at ${users} users`);
  return units;
}

const rounded = (title: string, users = 100_000): string => number(Math.round(unitsOf(users, title).most));

/** The dearest line about pages by keyword. */
const dearest = (users: number): string => {
  const { figures = {} } = measured.find((measurement) => measurement.users === users) ?? {};
  const titles = Object.keys(figures).filter((title) => /^keyword .* (order|name)$|^(\d\+? )?letters?[ ,]/.test(title));
  return number(Math.max(...titles.map((title) => unitsOf(users, title).most)));
};

// The tags of CloudFormation, such as !GetAtt, do not matter here.
const { params, functions } = parse(read('serverless.yml'), { logLevel: 'silent' }) as {
  params: Record<string, Record<string, number>>;
  functions: Record<string, object>;
};

const inWords = (value: number): string => ({ 15: 'fifteen', 20: 'twenty' })[value] ?? String(value);

describe('a number in the documentation', () => {
  const atRest = {
    calls: 2,
    writeUnits: 0,
    readUnits: unitsOf(100_000, 'before many parallel writes').most,
    dynamoMs: 4,
  };
  const beside = unitsOf(100_000, 'first page by name in the last minute, read units');
  const [post, page] = ['POST', 'first page by name'].map((what) =>
    Math.round(unitsOf(100_000, `${what}, as a multiple of its median time at rest`).median),
  );
  const dollars = [1, 10, 100].map((rate) =>
    rounded(`dollars for a million, at ${rate}${rate === 1 ? ' create' : ' creates'} a second`),
  );
  const ANY = 'any page: of all, a country, a status, both, an e-mail; in any order there is a list for';
  const [first, create] = ['first page, any single order but status and country', 'create, at once'];
  const [small, large] = [1_000, 1_000_000].map((users) => [unitsOf(users, first).median, unitsOf(users, create).most]);
  const [any, anyOfMillion] = [100_000, 1_000_000].map((users) => unitsOf(users, ANY));
  const keyword = unitsOf(1_000_000, 'keyword of three letters or more with a status, any order').most;
  const simulated = simulate({ writesPerSecond: 100 });
  const slow = simulate({ writesPerSecond: 100, pace: 40 });
  const tooMany = simulate({ writesPerSecond: 400 });
  const taken = Math.round(tooMany.taken);
  const [pace = 0, paceAtAMillion = 0] = [100_000, 1_000_000].map((users) => unitsOf(users, 'entries a second').median);
  const entryBytes = Math.round(ENTRY_SIZES.reduce((sum, bytes) => sum + bytes, 0) / ENTRY_SIZES.length);

  test.each([
    ['README.md', `${serverTiming({ ...atRest, plan: 'slice byName', journal: 0 })}\``],
    // The sender of events is left out: only a stage with events has it.
    ['README.md', `${inWords(Object.keys(functions).length - 1)} functions`],
    ['README.md', `up to ${dearest(100_000)} units at 100,000 users and ${dearest(1_000_000)} at a million`],
    ['README.md', `costs up to ${unitsOf(100_000, 'half of all users, another order, any page').most} units`],
    ['README.md', `Above ${number(SIZES.budgetUnits)} (`],
    ['README.md', `about ${rounded('entries a second')} entries of the journal per second`],
    ['README.md', `a first page costs ${beside.median} units, at most ${beside.most}, and takes ${page}`],
    ['README.md', `a POST ${post} times`],
    ['README.md', `${rounded('seconds after it until the journal costs one read unit')} seconds after`],
    ['README.md', `At a million users it takes ${rounded('entries a second', 1_000_000)} per second`],
    ['README.md', `a million creates cost ${dollars[0]}, ${dollars[1]} and ${dollars[2]} dollars`],
    [
      'README.md',
      `Some ${Math.round(monitoring() / 10) * 10} dollars are the monitoring of a stage whose endpoints are all in use; API Gateway's metrics of each method are ${Math.round(METHOD_DOLLARS)} of them`,
    ],
    ['README.md', `minimum age (${Number(params.default?.minimumAge) / 1_000} s)`],
    ['docs/runbook.md', `a batch costs ${unitsOf(1_000_000, 'a batch after a cursor').most} units`],
    ['docs/architecture.md', `${USERS_INDEXES.length} indexes`],
    ['docs/data-model.md', `Indexes (${USERS_INDEXES.length};`],
    ['docs/data-model.md', `| ${number(SIZES.batchEntries)} entries or `],
    ['docs/decisions/0006-segments.md', `more than ${SIZES.segmentUsers} users is cut`],
    ['docs/deployment.md', `DynamoDB allows 20 indexes per table; ${USERS_INDEXES.length} are in use`],
    ['docs/deployment.md', `${number(SIZES.budgetUnits)} unless set`],
    ['docs/deployment.md', `in ${inWords(STEPS.length)} steps`],
    ['docs/moving.md', `above ${number(CALM_JOURNAL)} entries fewer requests are sent`],
    ['docs/reliability.md', `each of ${FAULTS.length} faults`],
    ['bench/README.md', `the whole budget, ${number(SIZES.budgetUnits)} units`],
    [
      'docs/scale.md',
      `A first page costs ${small?.[0]} units and a create ${small?.[1]} at 1,000 users and at a million`,
    ],
    ['docs/scale.md', `A first page costs ${large?.[0]} units and a create ${large?.[1]} at`],
    [
      'docs/scale.md',
      `a page at any depth costs ${any?.median} units at 100,000 users and ${anyOfMillion?.median} at a million (median; at most ${any?.most} and ${anyOfMillion?.most})`,
    ],
    [
      'docs/scale.md',
      `${entryBytes} bytes on average. 2,000 of them and the head weigh ${unitsOf(1_000, 'after them, while none is folded').median - 0.5} units`,
    ],
    ['docs/scale.md', `3,000 ÷ ${number(keyword)} = ${Math.floor(3_000 / keyword)} of the dearest`],
    [
      'docs/scale.md',
      `${unitsOf(100_000, 'in the first 10 seconds of 10 writes a second').median} units for a first page next to 10 writes`,
    ],
    [
      'docs/scale.md',
      `("create, at once": ${unitsOf(100_000, create).most}; "patch of the country, at once": ${unitsOf(100_000, 'patch of the country, at once').most}`,
    ],
    [
      'docs/scale.md',
      `${simulated.units.toFixed(1)} units on average, ${Math.floor(3_000 / simulated.units)} listings and, as it is shorter at times, ${Math.round(simulated.listings)}`,
    ],
    ['docs/scale.md', `3,000 listings a second at rest, ${Math.round(simulated.listings)} next to 100 writes a second`],
    ['docs/scale.md', `100 × ${entryBytes} + ${HEAD_BYTES} + keys`],
    [
      'docs/scale.md',
      `${number(Math.round(slow.entries))} entries after two minutes, a first page of ${(0.5 + slow.units).toFixed(1)} units`,
    ],
    ['docs/scale.md', `some ${Math.round(pace / 10) * 10} writes a second, for long`],
    [
      'docs/scale.md',
      `${Math.round(pace)} entries a second at 100,000 users, ${Math.round(paceAtAMillion)} at a million`,
    ],
    [
      'docs/scale.md',
      `3 × ${taken} − 1,000 = ${3 * taken - 1_000} entries a second, ${Math.round(tooMany.growth)} in the table`,
    ],
    [
      'docs/scale.md',
      `${Math.round(simulateCut(100, 4).listings)} listings with 4 parts instead of ${Math.round(simulated.listings)}`,
    ],
    [
      'docs/scale.md',
      `150 × ${simulated.units.toFixed(1)} = ${number(Math.round(150 * Number(simulated.units.toFixed(1))))} units`,
    ],
  ])('in %s is as it was measured, or as the sources say: "%s"', (file, sentence) => {
    expect(read(file).replaceAll(/\n */g, ' ').includes(sentence), `${file} must say: ${sentence}`).toBe(true);
  });
});

test('the budget of a listing is the same in a stage and without one', () => {
  expect(params.default?.listingBudget).toBe(SIZES.budgetUnits);
});

test('the newest format in the changelog is the one that is written', () => {
  expect(read('CHANGELOG.md').match(/\(format (\d+)\)/)?.[1]).toBe(String(FORMAT));
});

describe('the README', () => {
  const readme = read('README.md');
  const source = people(1);
  const users = Array.from({ length: 100_000 }, () => source.next().value);

  test('shows a user whose id was given when it was created', () => {
    const [, id, time] = readme.match(/\{"id":(\d+),.*"createdAt":"([^"]*)"\}/) ?? [];
    expect(createdAt(Number(id))).toBe(time);
  });

  test('says how many countries and last names the users of the benchmark have', () => {
    const distinct = (field: 'country' | 'lastName') => new Set(users.flatMap((user) => user[field] ?? [])).size;
    const thousands = Math.round(distinct('lastName') / 1_000);
    expect(readme).toContain(
      `100,000 users of ${distinct('country')} countries with about ${thousands},000 last names`,
    );
  });

  test('shows a search among the seeded users, and how many it finds', () => {
    const [, seeded] = readme.match(/npm run seed -- --users (\d+)/) ?? [];
    const [, keyword = '', size] = readme.match(/keyword=(\w+)&sort=lastName&page=1&size=(\d+)/) ?? [];
    const among = users.slice(0, Number(seeded));
    const found = among.filter(({ lastName = '' }) => lastName.toLowerCase().includes(keyword)).length;
    expect(readme).toContain(`"totalElements":${found},"totalPages":${Math.ceil(found / Number(size))},`);
  });

  test('is at most 130 lines', () => {
    expect(readme.split('\n').length - 1).toBeLessThanOrEqual(130);
  });
});

test('the documentation has the limits of the stages from serverless.yml', () => {
  const stages = ['default', 'staging', 'prod'].map((stage) => ({ ...params.default, ...params[stage] }));
  const rates = stages.map(({ requestsPerSecond = 0, burst = 0 }) => `${number(requestsPerSecond)} (${number(burst)})`);
  const days = stages.map(({ logRetentionInDays }) => `${logRetentionInDays} days`);
  expect(read('docs/deployment.md')).toContain(`| requests per second (burst) | ${rates.join(' | ')}`);
  expect(read('docs/deployment.md')).toContain(`| logs kept | ${days.join(' | ')}`);
});

test('the table of docs/api.md has every operation that needs a token, with its scopes', () => {
  const rows = [...read('docs/api.md').matchAll(/^\| `([A-Z]+ \/api\/users\S*)` \|.*\| (`users:.*`) \|$/gm)];
  const shown = rows.map(([, operation, scopes]) => `${operation} ${scopes}`);
  const wanted = ROUTES.filter(needsToken).map(
    ({ method, path, scopes }) => `${method} ${path} ${scopes.map((scope) => `\`${scope}\``).join(', ')}`,
  );
  expect(shown.toSorted()).toEqual(wanted.toSorted());
});

test('the table of alarms in docs/runbook.md has every alarm of a stage with events', () => {
  const tables = { users: 'users', directory: 'directory' };
  const alarms = Object.values(alarmsOf({ service: 's', stage: 'p', tables, hasEvents: true }));
  const [, table = ''] = read('docs/runbook.md').split('## Alarms');
  const names = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) =>
    cell.replaceAll('`', '').split(', '),
  );
  expect(names.toSorted()).toEqual(alarms.map(({ Properties }) => String(Properties?.AlarmName).slice(4)).toSorted());
});

test('the table of commands has every script of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = Object.keys(scripts).filter((name) => !name.startsWith('pre'));
  const [, table = ''] = read('CONTRIBUTING.md').split('## Commands');
  expect(commands.filter((name) => !new RegExp(`\`(npm run |npm )?${name}[ \`]`).test(table))).toEqual([]);
});

test('every file of docs/ is in the table of its README', () => {
  const others = ['README.md', 'pictures', 'scale.svg'];
  const files = readdirSync(new URL('docs/', ROOT)).filter((file) => !others.includes(file));
  const map = read('docs/README.md');
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !map.includes(`](${file})`))).toEqual([]);
});
