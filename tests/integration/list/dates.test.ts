import { describe, expect, test } from 'vitest';
import type { Attributes } from '../../../lib/users/user.ts';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

logOfEachTest();

const DAY = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString();

/** By name, in the order of creation. The last one has none. */
const PEOPLE: Record<string, Attributes | undefined> = {
  ann: { lastSeen: daysAgo(61), contractEnd: '2026-12-31', word: 'mike', seen: '01.11.2026' },
  bob: { lastSeen: daysAgo(59), contractEnd: '2027-01-01', word: 'MIKE', seen: '15 Nov 2026' },
  cem: {
    lastSeen: daysAgo(400).slice(0, 10),
    contractEnd: '2027-06-30T22:30:00.000Z',
    word: 'mikes',
    seen: daysAgo(200),
  },
  dan: { lastSeen: 2025, contractEnd: 2026, word: 'mij', seen: '1793491200000' },
  eve: { contractEnd: ['2025-01-01', '2028-02-29'], word: ['zoe', 'Ähre', '𝒜'], seen: ['2026-02-30', daysAgo(190)] },
  fay: undefined,
};

const service = await serviceOn.embedded();
await service.users.createMany(
  Object.entries(PEOPLE).map(([name, attributes]) => ({ name, ...(attributes && { attributes }) })),
);
const call = await handlerCalls(service);

const namesOf = (body: unknown): string => (body as { name: string }[]).map(({ name }) => name).join(' ');

describe('a bound of an attribute', () => {
  test.each([
    ['lastSeen.lt=-P60D', 'ann cem'],
    ['lastSeen.gte=-P60D', 'bob'],
    ['lastSeen.lt=-P1Y', 'cem'],
    ['lastSeen.gt=2000', 'dan'],
    // A duration, a date or a month meets only dates, a text all texts.
    ['seen.lt=-P180D', 'cem eve'],
    ['seen.gte=-P1Y', 'cem eve'],
    ['seen.gte=0001-01', 'cem eve'],
    ['seen.lt=2999-01-01', 'cem eve'],
    ['seen.lt=2999-01-01T00:00:00Z', 'cem eve'],
    ['seen.lt=zzz', 'ann bob cem dan eve'],
    ['seen.gte=P1', ''],
    ['seen.lt=P1', 'ann bob cem dan eve'],
    ['contractEnd.gte=2027-01-01', 'bob cem eve'],
    ['contractEnd.gt=2027-01-01', 'cem eve'],
    ['contractEnd.lte=2026-12-31', 'ann eve'],
    ['contractEnd.lt=2026-12-31', 'eve'],
    ['contractEnd.gte=2027-01-01&attributes.contractEnd.lt=2028-01-01', 'bob cem eve'],
    // A year is a number.
    ['contractEnd.gte=2026', 'dan'],
    ['contractEnd.gte=2026-12', 'ann bob cem eve'],
    // As texts sort: what folds alike is at the bound.
    ['word.gte=m%C4%B1ke', 'ann bob cem eve'],
    ['word.gt=Mike', 'cem eve'],
    ['word.lte=mike', 'ann bob dan'],
    ['word.lt=MIKE', 'dan'],
    ['word.gt=zzz', 'eve'],
    ['word.gte=A%CC%88HRE', 'eve'],
    ['word.gt=%F0%9D%92%9C', ''],
    ['nobodys.gte=a', ''],
  ])('%s is met by %s in every list', async (bound, found) => {
    const query = `attributes.${bound}`;
    const page = await call('GET', `/api/users?${query}`);
    const { content, totalElements } = page.body as { content: unknown; totalElements: number };
    const lists = [`?cursor=&${query}`, `?after=&${query}`, `/cursor?${query}`, `/all?${query}`];
    const others = await Promise.all(lists.map(async (list) => namesOf((await call('GET', `/api/users${list}`)).body)));
    expect([namesOf(content), ...others]).toEqual(Array.from({ length: 5 }, () => found));
    const { body } = await call('GET', `/api/users/counts?${query}`);
    expect(body).toMatchObject({ total: totalElements });
    expect(totalElements).toBe(found.split(' ').filter(Boolean).length);
  });

  // Word processors write other signs and dashes, other systems other durations. As texts they would meet nearly everybody.
  test.each([
    ...[
      'P180D',
      'p180d',
      'PT5H',
      'P1Y6M',
      'P180Days',
      '-180D',
      '-P180',
      '-P60X',
      '- P180D',
      '+P30D',
      '%2BP30D',
      '%2B49 170',
    ],
    ...['−P180D', '–P180D', '—P180D', '－P180D', '‑180', '-.5D', 'now-180d', 'Now - 1d', 'now+1d', 'now−1d', ' -P180D'],
    ...[
      '2026-',
      '2026-1-5',
      '2026-13',
      '2026-02-30',
      '2026-W48',
      '2026-11-01T09:30',
      '2026-11-01 09:30:00Z',
      '2026–11–01',
    ],
    ...['+2026-11-01', '2026-11-01T09:30:00+02:00', '2026-11-01/2026-12-01'],
  ])('is no %s, which begins like a moment and is none', async (text) => {
    const query = `attributes.seen.lt=${text.replaceAll(' ', '%20')}`;
    const body = {
      status: 400,
      message:
        'attributes.seen.lt must be a date-time of RFC 3339, a date, or a duration before now, such as 2026-11-01T09:30:00Z, 2026-11-01 or -P7D; a + is sent as %2B in a URL',
    };
    const edit = { body: JSON.stringify({ delete: true, atMost: 20 }) };
    expect([
      (await call('GET', `/api/users?${query}`)).body,
      (await call('GET', `/api/users/counts?${query}`)).body,
      (await call('POST', `/api/users/edits?${query}`, edit)).body,
    ]).toEqual([body, body, body]);
  });

  test.each([
    ['attributes.seen.lt=-P180D', 2, 3],
    ['attributes.seen.lt=-P180D&attributes.word.gte=n', 1, 0],
    ['attributes.seen.lt=-P180D&attributes.seen.gte=2020-01-01&name.not=ann', 2, 2],
    ['attributes.lastSeen.lt=-P1D&attributes.seen.lt=-P1D', 1, 3],
    ['attributes.seen.lt=zzz', 5, undefined],
    ['createdAt.gte=-P1D', 6, undefined],
  ])(
    'of an edit with %s chooses %d, and the preview says that %s have a value that is no date',
    async (query, total, notDates) => {
      const { body } = await call('POST', `/api/users/edits?${query}`, {
        body: JSON.stringify({ delete: true, dryRun: true }),
      });
      const { examples, units, dollars, ...others } = body as Record<string, unknown>;
      expect(others).toEqual({ total, ...(notDates !== undefined && { notDates }) });
    },
  );

  test('chooses for an edit, and for its preview', async () => {
    const edit = (members: object) =>
      call('POST', '/api/users/edits?attributes.lastSeen.lt=-P60D&attributes.word.gt=mike', {
        body: JSON.stringify({ patch: { attributes: { dormant: true } }, ...members }),
      });
    expect((await edit({ dryRun: true })).body).toMatchObject({ total: 1 });
    expect((await edit({ atMost: 1 })).body).toMatchObject({ changed: 1, left: 0 });
    const { body } = await call('GET', '/api/users/all?attributes.dormant=true');
    expect(namesOf(body)).toBe('cem');
  });

  test('stays in the links of a walk as it was sent, and time takes users away from a list: its tag is of the moment', async () => {
    const path = '/api/users?attributes.lastSeen.lt=-P60D&size=1';
    const first = await call('GET', `${path}&after=&sort=attributes.lastSeen`);
    expect(namesOf(first.body)).toBe('cem');
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    expect(next).toContain('attributes.lastSeen.lt=-P60D');
    expect(namesOf((await call('GET', next)).body)).toBe('ann');
    const statusOf = async (query: string) => {
      const etag = (await call('GET', query)).headers.get('etag') ?? '';
      await new Promise((resolve) => setTimeout(resolve, 2));
      return (await call('GET', query, { headers: { 'if-none-match': etag } })).status;
    };
    expect(await statusOf(path)).toBe(200);
    expect(await statusOf('/api/users?attributes.lastSeen.lt=2026-01-01&attributes.lastSeen.not=-P60D')).toBe(304);
    expect(await statusOf('/api/users?attributes.lastSeen.gt=-5')).toBe(304);
  });
});

describe('counts', () => {
  const countsBy = async (query: string) => (await call('GET', `/api/users/counts?${query}`)).body;

  test('by the dates of an attribute are by those that its texts begin with, in UTC, and of an array by each', async () => {
    const by = 'attributes.contractEnd.year';
    expect(await countsBy(`by=${by}`)).toEqual({
      total: 6,
      counts: [
        { [by]: '2027', count: 2 },
        // A number, and nothing.
        { count: 2 },
        { [by]: '2025', count: 1 },
        { [by]: '2026', count: 1 },
        { [by]: '2028', count: 1 },
      ],
    });
    const [month, week] = ['attributes.contractEnd.month', 'attributes.contractEnd.week'];
    expect(await countsBy(`by=${month},${week}&attributes.contractEnd.gte=2027-01-02`)).toEqual({
      total: 2,
      counts: [
        { [month]: '2025-01', [week]: '2025-W01', count: 1 },
        { [month]: '2025-01', [week]: '2028-W09', count: 1 },
        { [month]: '2027-06', [week]: '2027-W26', count: 1 },
        { [month]: '2028-02', [week]: '2025-W01', count: 1 },
        { [month]: '2028-02', [week]: '2028-W09', count: 1 },
      ],
    });
  });

  test('by other endings are refused, with those that there are', async () => {
    expect(await call('GET', '/api/users/counts?by=attributes.lastSeen.hour')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('attributes.<name>, attributes.<name>.day, attributes.<name>.week') },
    });
  });
});
