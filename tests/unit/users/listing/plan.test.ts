import { expect, test } from 'vitest';
import { LISTINGS } from '../../../../lib/http/listingRules.ts';
import { readPageQuery } from '../../../../lib/http/request/queries.ts';
import { candidateInOrder, candidatesOf, spansOfNumbers } from '../../../../lib/users/listing/candidates.ts';
import type { Sized } from '../../../../lib/users/listing/cost.ts';
import { criteriaOf } from '../../../../lib/users/listing/criteria.ts';
import { type Counts, choose, type Group, isWorthNames, type Plan } from '../../../../lib/users/listing/plan.ts';
import { type Query, queryOf } from '../../../../lib/users/listing/query.ts';
import { nameOf } from '../../../../lib/users/lists.ts';
import { SIZES } from '../../../../lib/users/sizes.ts';
import { event } from '../../../support/events.ts';

const EMAIL = candidateInOrder(candidatesOf(criteriaOf({ email: 'a@b.de' })), 'email')?.spans[0] as Sized['span'];

/** The numbers after a name in a text such as `list 900, match 90, smallest 5*18, groups 40 50`, in which `5*18` is eighteen times a 5. */
function numbersOf(counts: string, name: string): number[] | undefined {
  const said = counts.split(', ').find((each) => each.split(' ')[0] === name);
  return said
    ?.split(' ')
    .slice(1)
    .flatMap((each) => {
      const [n = 0, times = 1] = each.split('*').map(Number);
      return Array.from({ length: times }, () => n);
    });
}

function asked(text: string): Query {
  const { filters, keyword, order, number, size } = readPageQuery(event(text), LISTINGS.listUsers);
  return queryOf(criteriaOf(filters, keyword), order, { skip: number * size, take: size });
}

function countsOf({ criteria, candidates, order }: Query, counts: string): Counts {
  const list = candidateInOrder(candidates, order[0].property);
  if (!list) throw new Error(`No list in the order of ${order[0].property}`);
  const [users = 0] = numbersOf(counts, 'list') ?? [];
  return {
    matching: numbersOf(counts, 'match')?.[0] ?? 0,
    ordered: { ...list, spans: list.spans.map((span) => ({ span, users: users / list.spans.length })) },
    smallest: numbersOf(counts, 'smallest')?.map((each): Sized => ({ span: EMAIL, users: each })),
    groups: numbersOf(counts, 'groups')?.map((total): Group => ({ criteria, total })),
    areNames: numbersOf(counts, 'names') !== undefined,
  };
}

function told(plan: Plan): string {
  if (plan.kind === 'slice') return `slice ${nameOf(plan.span)}${plan.otherwise ? `, or ${told(plan.otherwise)}` : ''}`;
  if (plan.kind === 'walk') return `walk ${nameOf(plan.span)} for ${plan.users}, or ${told(plan.otherwise)}`;
  if (plan.kind === 'groups')
    return `groups of ${plan.groups
      .slice(0, 3)
      .map(({ total }) => total)
      .join(' ')}`;
  return `${plan.kind} ${plan.spans.length}`;
}

function planFor(text: string, counts: string): string {
  const query = asked(text);
  return told(choose(query, countsOf(query, counts), SIZES.risks));
}

/** What is asked, what the counts are, the plan, and why. */
const TABLE = `
sort=name                               | list 100000, match 100000                                | slice byName
sort=createdAt                          | list 100000, match 100000                                | slice byId
country=DE&sort=email                   | list 900, match 900                                      | slice byCountryAndEmail
status=on                               | list 900, match 900                                      | slice part of byStatus
status=on&country=DE                    | list 90, match 90                                        | slice part of byCountryAndStatus
email=a@b.de                            | list 2, match 2                                          | slice part of byEmail

sort=name&sort=age                      | list 800, match 800, smallest 800                  | slice byName                 | a part is read, although runs at its ends may have to be sorted
sort=name&sort=age                      | list 100, match 100, smallest 100                  | gather 1                     | all are read
sort=status&sort=age&page=2000          | list 100000, match 100000, smallest 100000, groups 60000 40000 | groups of 60000 40000 | the page is within one value
sort=status&sort=age                    | list 60, match 60, groups 1*40                     | slice byStatus               | there are nearly as many values as users

status=on&sort=name                     | list 100000, match 60000, smallest 60000        | walk byName for 34, or slice byName, or gather 1 | the beginning of the list has enough users with it
status=on&sort=name&page=1500           | list 100000, match 60000, smallest 60000        | slice byName, or gather 1    | segments tell where the page begins
status=on&sort=name                     | list 100000, match 150, smallest 150            | gather 1                     | all users with it are read

keyword=ab&sort=name                    | list 100000, match 30, smallest 10*3                     | gather 3                     | all users with the names are read
keyword=ab&sort=name                    | list 100000, match 5000, smallest 5*1000                 | walk byName for 400, or gather 1000 | a walk is shorter than a call for each name
keyword=ab&sort=name&page=100           | list 100000, match 5000, smallest 5*1000                 | walk byName for 40400, or gather 1000 | half of the list is read, and not a thousand names
keyword=ab&sort=name                    | list 100000, match 1000, smallest 1160                   | gather 1                     | a walk must be cheaper by half, because costs are estimates
keyword=ab&sort=name                    | list 100000, match 1000, smallest 5800                   | walk byName for 2000, or gather 1 | and here it is
keyword=ab&sort=name                    | list 100000, match 0, smallest                           | gather 0                     | nobody is read
keyword=ab&sort=lastName&page=100       | list 100000, match 5000, smallest 5*1000, groups 5*1000, names | groups of 5 5 5 | only the names of the page are read
keyword=ab&sort=lastName                | list 100000, match 90, smallest 45*2, groups 45*2, names | groups of 45 45               | a common name is a group
keyword=ab&sort=status&page=1000        | list 100000, match 40000, smallest 80*500, groups 10000 30000 | groups of 10000 30000   | each status is a group

age.gte=18&age.lt=30&sort=age           | list 9000, match 9000                                    | slice part of byAge
lastName.startsWith=ma&sort=lastName    | list 900, match 900                                      | slice part of byLastName
createdAt.gte=2026-01-01                | list 9000, match 9000                                    | slice part of byId
createdAt.gte=2026-01-01&country=DE&status=on&sort=createdAt | list 90, match 90                   | slice part of byCountryAndStatus | this list is by id
age.gte=18&country=DE&sort=age          | list 900, match 900                                      | slice part of byCountryAndAge
age.gte=99&sort=name                    | list 100000, match 800, smallest 800                     | gather 1                     | all users of a small range are read
age.gte=40&sort=name                    | list 100000, match 50000, smallest 50000                 | walk byName for 40, or gather 1 | the beginning of the list has enough users of half of all
age.gte=40&sort=name&page=1250          | list 100000, match 50000, smallest 50000                 | gather 1                     | the range is read
age.gte=18&age.lt=30&status=on&sort=age&page=100 | list 9000, match 4000, smallest 9000   | slice part of byAge, or gather 1 | segments count the status
status=on&status=off&status=new&page=1500 | list 100000, match 60000, smallest 20000*3    | slice byId, or gather 3      | segments count the statuses
status=on&status=off&status=new&sort=status&page=1500 | list 60000, match 60000, smallest 20000*3, groups 20000*3 | groups of 20000 20000 20000 | each status is a group
`
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string?]);

test.each(TABLE)('the plan for %s, where counts are %s, is: %s', (query, counts, plan) => {
  expect(planFor(query, counts)).toBe(plan);
});

test.each([
  ['keyword=a&sort=name', 60_000, false],
  ['keyword=a&sort=name', 8, true],
  ['keyword=a&sort=lastName', 60_000, false],
  ['keyword=a&sort=lastName&page=2000', 60_000, true],
  ['keyword=a&status=on&status=off&sort=status', 60_000, true],
])('for %s the names with a letter that %i users have are read: %j', (text, matching, isRead) => {
  const query = asked(text);
  expect(isWorthNames(query, countsOf(query, `list 100000, match ${matching}`), SIZES.risks)).toBe(isRead);
});

test.each([
  ['age.gte=17&age.lt=20', 3],
  ['email.startsWith=12', 0],
  ['name.startsWith=12', 0],
])('within a time, %s is taken apart into %i numbers', (filter, count) => {
  const { criteria, candidates } = asked(`createdAt.gte=2026-01-01&${filter}`);
  expect(spansOfNumbers(criteria, candidates)).toHaveLength(count);
});
