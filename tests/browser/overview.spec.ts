import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible, expectTotal, seededService } from './seeded.ts';

test.use({ locale: 'en-GB', timezoneId: 'UTC' });

const SEEDED = 2_000;
const DAY_MS = 86_400_000;

const { admin, call, create, totalOf } = seededService(SEEDED);

const open = async (page: Page, view = 'show=overview'): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(admin(view));
  await expect(
    page.locator('.total b, .happened .lines[aria-busy="false"], table[aria-busy="false"]').first(),
  ).toBeVisible();
};

const numberOf = (count: number): string => count.toLocaleString('en-GB');

interface Counts {
  total: number;
  counts: Record<string, string | number>[];
}

const counted = async (query: string): Promise<Counts> =>
  (await call('GET', `/api/users/counts?${query}`)).body as Counts;

const columns = (page: Page): Locator => page.locator('.chart a');
const line = (page: Page, text: string | RegExp): Locator => page.locator('.change').filter({ hasText: text });

interface Edit {
  edit: string;
  changed: number;
}

/** Does a change of many to its end: a call works for 20 seconds at most. */
async function edit(query: string, json: object, more = {}): Promise<Edit> {
  const { body } = await call('POST', `/api/users/edits?${query}`, { json: { atMost: SEEDED, ...json, ...more } });
  const { edit: name, left } = body as { edit: string; left: number };
  if (left > 0) return edit(query, json, { edit: name });
  return (await call('GET', `/api/users/edits/${name}`)).body as Edit;
}

/** Until what was done is the newest change, as the page reads them. @param number of changes: those of an edit come in parts */
const expectTold = (newest: { edit?: string; id?: number; version?: number }, number = 1): Promise<void> =>
  expect
    .poll(
      async () => {
        const { body } = await call('GET', `/api/users/changes?before=now&size=${number}`);
        return (body as { changes: object[] }).changes;
      },
      { timeout: 90_000 },
    )
    .toMatchObject(Array.from({ length: number }, () => newest));

test('each number of the overview leads to the users whom it counts, and says both', async ({ page }) => {
  await open(page);
  const { total, counts } = await counted('by=status');
  await expect(page.locator('.total h2')).toHaveText(`${numberOf(total)} users`);
  for (const { status, count } of counts) {
    const name = `${status ?? 'no status'}, ${numberOf(Number(count))} users`;
    const href = status === undefined ? '#status.missing=true' : `#status=${status}`;
    await expect(page.locator('.parts').getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
  }
  const [country] = (await counted('by=country')).counts;
  await page.getByRole('link', { name: `United States, ${numberOf(Number(country?.count))} users` }).click();
  await expectTotal(page, Number(country?.count));
  await page.goBack();
  await expect(page.locator('.countries li')).toHaveCount(8);
  await expect(page.getByRole('link', { name: /^All \d+$/ })).toBeVisible();
  // One click.
  await page.getByRole('link', { name: /^Without e-mail, / }).click();
  await expectTotal(page, await totalOf('email.missing=true'));
  await page.goBack();
  await page.getByRole('link', { name: /^Pending for more than 14 days, / }).click();
  await expectTotal(page, await totalOf('status=pending&createdAt.lt=-P14D'));
});

test('columns of new users by day, week and month, each with its users, the last one of now', async ({ page }) => {
  await open(page);
  await expect(columns(page)).toHaveCount(28);
  const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const yesterday = await totalOf(`createdAt.gte=${day}&createdAt.lt=${new Date().toISOString().slice(0, 10)}`);
  const last = columns(page).nth(26);
  await expect(last).toHaveAccessibleName(new RegExp(`, ${yesterday} users?$`));
  await last.hover();
  await expect(page.locator('.tip')).toContainText(` · ${yesterday}`);
  await columns(page).nth(3).focus();
  await expect(page.locator('.tip')).toHaveText(
    (await columns(page).nth(3).getAttribute('aria-label'))?.replace(/, (\d+) users?/, ' · $1') ?? '',
  );
  await expect(columns(page).last()).toHaveClass('present');
  await page.getByRole('radio', { name: 'Day' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Week' })).toBeChecked();
  await expect(columns(page)).toHaveCount(26);
  await page.reload();
  await expect(page).toHaveURL(/per=week/);
  await expect(columns(page)).toHaveCount(26);
  // The users who came in a week, in one click.
  const [, of] = /, ([\d,]+) users?$/.exec((await columns(page).nth(20).getAttribute('aria-label')) ?? '') ?? [];
  await columns(page).nth(20).click();
  await expectTotal(page, Number(of?.replace(',', '')));
  await page.goBack();
  // Not by its place, which moves while other parts of the screen are being read.
  await page.getByRole('radio', { name: 'Month' }).press('Space');
  await expect(columns(page)).toHaveCount(24);
  await expect(columns(page).last()).toHaveAccessibleName(/^\w+ \d{4}, /);
});

test('lines of nobody are left out of what needs attention', async ({ page }) => {
  await open(page);
  const lines = page.locator('.attention li');
  await expect(lines.first()).toBeVisible();
  await expect(lines.filter({ hasText: 'Not signed in' })).toHaveCount(0);
  const old = new Date(Date.now() - 61 * DAY_MS).toISOString();
  const before = (await counted('by=email')).counts.filter(({ email, count }) => email && Number(count) > 1).length;
  for (const attributes of [{ lastLogin: old }, { lastLogin: new Date().toISOString() }])
    await call('POST', '/api/users', { json: { name: 'Twin', email: 'twin@example.org', attributes } });
  await page.reload();
  await expect(lines.filter({ hasText: 'Not signed in' })).toHaveCount(1);
  await page.getByRole('link', { name: 'Not signed in for 60 days, 1' }).click();
  await expectTotal(page, 1);
  await page.goBack();
  await page.getByRole('link', { name: `E-mails of more than one user, ${before + 1}` }).click();
  await expect(page.locator('tbody')).toContainText('twin@example.org');
});

test('a part that fails fails alone, and is read again by itself', async ({ page }) => {
  const body = JSON.stringify({ status: 503, message: 'not now' });
  const headers = { 'content-type': 'application/json', 'retry-after': '1' };
  await page.route('**/counts?by=country', (route) => route.fulfill({ status: 503, body, headers }));
  await open(page);
  await expect(page.locator('.countries').getByRole('alert')).toContainText('not now');
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(columns(page)).toHaveCount(28);
  await expect(page.locator('.attention li').first()).toBeVisible();
  await page.unroute('**/counts?by=country');
  await expect(page.locator('.countries li')).toHaveCount(8);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('an edit is one line with its number, though only a page of it was read, and is taken back there', async ({
  page,
}) => {
  const { edit: name, changed } = await edit('status=inactive', { patch: { status: 'dormant' } });
  expect(changed).toBeGreaterThan(300);
  await expectTold({ edit: name }, changed);
  const requests: string[] = [];
  page.on('request', (request) => request.url().includes('/users/changes?') && requests.push(request.url()));
  await open(page);
  await expect(line(page, 'dormant')).toContainText(`${changed} users · status → dormant`);
  expect(requests.map((url) => new URL(url).searchParams.get('size'))).toEqual(['30']);
  await open(page, 'show=changes');
  const dormant = line(page, 'dormant');
  await expect(dormant).toHaveCount(1);
  await expect(dormant).toContainText(`${changed} users · status → dormant`);
  await expect(page.getByRole('heading', { name: /^Today, / })).toBeVisible();

  const toggle = dormant.getByRole('button', { name: `${changed} users`, exact: true });
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await toggle.focus();
  await page.keyboard.press('Enter');
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  const members = dormant.locator('.members li');
  await expect(members).toHaveCount(20);
  await expect(members.first()).toContainText(/inactive.*dormant/);
  await expectAccessible(page);
  await dormant.getByRole('button', { name: `20 more of ${changed}` }).click();
  await expect(members).toHaveCount(40);
  await dormant.getByRole('button', { name: 'Fold' }).click();
  await expect(members).toHaveCount(0);
  await expect(toggle).toBeFocused();

  await dormant.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.toast')).toContainText(`As before: ${changed} users`);
  await expect(line(page, 'as before')).toHaveCount(1, { timeout: 90_000 });
  // The changes of the undo are later than those of the edit.
  await expect(async () => {
    if ((await line(page, 'undone').count()) === 0) await page.getByRole('button', { name: 'Show older' }).click();
    await expect(line(page, 'undone')).toContainText(`${changed} users · status → dormant`, { timeout: 5_000 });
  }).toPass({ timeout: 90_000 });
  await expect(line(page, 'as before')).toContainText(/undo of \d\d:\d\d/);
  // The same is told where the undo is not among those that are shown.
  const { edit: gone } = await edit('country=PT', { delete: true });
  await call('POST', `/api/users/edits/${gone}/undo`);
  await expectTold({ edit: `${gone}-undo` });
  await page.getByLabel('What', { exact: true }).selectOption('Deleted');
  await expect(line(page, 'deleted').first()).toContainText('undone');
});

test('an edit that is told in part says how many are not among those that are shown, and is read again as long as it goes on', async ({
  page,
}) => {
  const { edit: name, changed } = await edit('country=CA', { patch: { status: 'in part' } });
  await expectTold({ edit: name }, changed);
  const { body } = await call('GET', `/api/users/edits/${name}`);
  const state = Object.assign(body as object, { changed: changed + 510, left: 9 });
  await page.route(`**/users/edits/${name}`, (route) => route.fulfill({ json: state }));
  await open(page, 'show=changes');
  const told = line(page, 'in part');
  await told.getByRole('button', { name: `${changed + 510} users` }).click();
  // Older ones are read until they are older than the edit.
  const more = told.getByRole('button', { name: `more of ${changed + 510}` });
  await expect(async () => {
    if (await more.isVisible()) await more.click({ timeout: 2_000 });
    await expect(told.locator('.members li')).toHaveCount(changed, { timeout: 2_000 });
  }).toPass();
  await expect(told.locator('.members p')).toHaveText('510 more are not among these.');
  await expect(more).toHaveCount(0);
  Object.assign(state, { changed: changed + 519, left: 0 });
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect(told.locator('.members p')).toHaveText('519 more are not among these.');
});

test('many whom one person has created are one line; one user is told with old and new values', async ({ page }) => {
  const { body } = await call('POST', '/api/users', { json: { name: 'زينب الطويلة', status: 'active' } });
  const { id } = body as { id: number };
  await call('PATCH', `/api/users/${id}`, { json: { status: 'suspended', age: 34 } });
  const { edit: name } = await edit(`id=${id}`, { patch: { country: 'DE' } });
  await expectTold({ edit: name });
  await open(page, 'show=changes');
  await expect(line(page, 'suspended')).toContainText('زينب الطويلة · status active → suspended · age none → 34');
  // The creations of the seed are behind the changes of the tests before.
  await expect(async () => {
    if ((await line(page, 'Many users created').count()) === 0)
      await page.getByRole('button', { name: 'Show older' }).click({ timeout: 2_000 });
    await expect(line(page, 'Many users created')).toHaveCount(1, { timeout: 2_000 });
  }).toPass();
  await page.getByPlaceholder('Whom: name or ID').fill('زينب');
  await page.keyboard.press('Enter');
  await expect(page.locator('.change')).toHaveCount(3);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.locator('.toast')).toContainText('زينب الطويلة was saved');
  expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ status: 'active', country: 'DE' });
  expect((await call('GET', `/api/users/${id}`)).body).not.toHaveProperty('age');
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  await open(page, `show=changes&from=${tomorrow}`);
  await expect(page.getByText('Nothing like that has happened')).toBeVisible();
  await open(page, 'show=changes&to=nope');
  await expect(page.getByRole('alert')).toContainText('to must be a date: nope');
});

test('what happens meanwhile is said beside the title, a unit each time, and nothing moves until it is clicked', async ({
  page,
}) => {
  const { id } = await create({ name: 'Before' });
  await expectTold({ id, version: 1 });
  await page.clock.install();
  await open(page, 'show=changes');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { searchParams } = new URL(request.url());
    if (searchParams.has('after')) asked.push(searchParams.toString());
  });
  await page.clock.runFor(30_000);
  await expect.poll(() => asked).toEqual(['after=now&size=1']);
  await expect(page.getByRole('button', { name: 'Read again' })).toBeVisible();
  // Until each line has all that it tells.
  await page.waitForLoadState('networkidle');
  const shown = await page.locator('.what').allTextContents();
  // An edit of three, and one user twice.
  for (const name of ['Several 1', 'Several 2', 'Several 3']) await create({ name, country: 'Several' });
  await edit('country=Several', { patch: { age: 40 } });
  await call('PATCH', `/api/users/${id}`, { json: { age: 41 } });
  await call('PATCH', `/api/users/${id}`, { json: { age: 42 } });
  await expectTold({ id, version: 3 });
  await page.clock.runFor(30_000);
  const newer = page.getByRole('button', { name: '3 new: show them' });
  await expect(newer).toHaveText(/3 new/);
  expect(await page.locator('.what').allTextContents()).toEqual(shown);
  await newer.click();
  await expect(page.locator('.change').first()).toContainText('Before · age 41 → 42');
  await expect(line(page, '3 users · age → 40')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Read again' })).toBeVisible();
  // It is of the filters in use.
  await page.getByLabel('What', { exact: true }).selectOption('Deleted');
  await expect(page.locator('.lines[aria-busy="false"]')).toBeVisible();
  await call('PATCH', `/api/users/${id}`, { json: { age: 43 } });
  await expectTold({ id, version: 4 });
  const answered = page.waitForResponse((response) => /after=(?!now)/.test(response.url()));
  await page.clock.runFor(30_000);
  await answered;
  await expect(page.getByRole('button', { name: 'Read again' })).toBeVisible();
  await call('DELETE', `/api/users/${id}`);
  await expectTold({ id, version: 5 });
  await page.clock.runFor(30_000);
  await expect(page.getByRole('button', { name: '1 new: show them' })).toBeVisible();
});

test('what this tab has done is on top at once, can be taken back there, and is told as all else later', async ({
  page,
}) => {
  const { id } = await create({ name: 'Done Here', age: 50 });
  await open(page, `show=users&user=${id}`);
  const card = page.getByRole('dialog');
  await card.getByLabel('Age').fill('51');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.toast')).toContainText('Done Here was saved');
  const here = page.getByRole('list', { name: 'Done here a moment ago' }).getByRole('listitem');
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(here).toHaveText([/Done Here was saved.*you, here/]);
  await page.getByRole('link', { name: 'What happened', exact: true }).click();
  await here.getByRole('button', { name: 'Undo' }).click();
  await expect(here).toHaveText([/Done Here was saved: undone/]);
  expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ age: 50 });
  await expect(line(page, 'Done Here · age 51 → 50')).toBeVisible({ timeout: 90_000 });
  await expect(here).toHaveCount(0);
});

test('several who were deleted are named, and so is the number of the others; on a phone a button has the filters', async ({
  page,
}) => {
  for (const name of ['Roger Thomas', 'Zoë Ångström', '김서연', 'Fourth', 'Fifth'])
    await create({ name, country: 'Gone' });
  const { edit: name } = await edit('country=Gone', { delete: true });
  await expectTold({ edit: name });
  await open(page, 'show=changes');
  await expect(line(page, 'deleted').first()).toHaveText(/5 users deleted · .+, .+, .+ and 2 more/);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.locator('.pager')).toContainText('Kept for 7 days');
  await expect(page.getByLabel('Whom')).toHaveCount(0);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('What', { exact: true }).selectOption('Deleted');
  const today = new Date().toISOString().slice(0, 10);
  await page.getByLabel('From').fill(today);
  await expect(page).toHaveURL(new RegExp(`#type=deleted&from=${today}&show=changes$`));
  await expect(page.locator('.lines')).toHaveAttribute('aria-busy', 'false');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Filter, in use' })).toBeFocused();
  await expect(line(page, 'deleted').first()).toContainText('5 users');
  await expect(page.getByRole('heading', { name: /^Today/ })).toHaveText('Today', { useInnerText: true });
});

test('long values stay short wherever they stand beside others, and an address is read from the left', async ({
  page,
}) => {
  const expectLower = (target: Locator, height: number) =>
    expect.poll(async () => (await target.boundingBox())?.height ?? Number.POSITIVE_INFINITY).toBeLessThan(height);
  const email = 'אברהם@example.com';
  const note = 'A value that goes on and on. '.repeat(17).trim();
  const tags = Array.from({ length: 20 }, (_, n) => `item number ${n} of twenty`);
  const { id, name } = await create({ name: 'Wolfe '.repeat(33).trim(), email, attributes: { note, tags } });
  const changed = { name: 'Plus '.repeat(40).trim(), attributes: { note: `${note} On.`, tags: tags.slice(4) } };
  const { headers } = await call('PATCH', `/api/users/${id}`, { json: { ...changed, email: `אחר.${email}` } });
  await expectTold({ id, version: Number(/\d+/.exec(headers.get('etag') ?? '')?.[0]) });
  await open(page, 'show=changes');
  const told = line(page, 'Plus').first();
  await expect(told.locator('del').getByTitle(note, { exact: true })).toHaveText(/^A value .{40,}…$/);
  // Four fields have two short texts each.
  await expectLower(told, 160);
  expect(await told.locator('del').getByTitle(name).innerText()).toHaveLength(60);
  await expect(told.getByTitle(email, { exact: true })).toHaveCSS('direction', 'ltr');

  await open(page, `show=users&email=${email}&email=אחר.${email}`);
  await expect(page.locator('td.of-email span')).toHaveCSS('direction', 'ltr');
  await page.getByRole('checkbox', { name: /^Choose Plus/ }).check();
  await page.getByRole('button', { name: 'Add tag' }).click();
  await page.getByLabel('A tag …').fill('vip');
  await page.getByRole('option', { name: /^Store “vip” as it is/ }).click();
  const preview = page.locator('.preview tbody tr');
  await expect(preview).toHaveCount(1);
  await expectLower(preview, 100);
  await page.getByRole('button', { name: 'Change 1 user' }).click();
  await expect(page.locator('.toast')).toContainText('Changed: 1 user');

  await page.locator('td.of-name a').click();
  const card = page.getByRole('dialog');
  await expect(card.locator('.ids a')).toHaveCSS('direction', 'ltr');
  await expect(card.getByRole('heading', { level: 2 })).toHaveAttribute('title', changed.name);
  await expectLower(card.locator('.head'), 190);
  await card.getByLabel('Age').fill('40');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.toast')).toHaveText(/^Plus .{40,}… was saved/);
  await expectLower(page.locator('.toast'), 80);
  await card.getByRole('tab', { name: /^History/ }).click();
  const lines = card.locator('.timeline > li');
  await expectLower(lines.filter({ hasText: 'note' }).first(), 400);
});

test('the overview and what happened fit any window, in both colours, and are accessible', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
      [640, 400],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const view of ['show=overview', 'show=changes']) {
        await open(page, view);
        await expect(page.locator('.change').first()).toBeVisible();
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${view} at ${width}`).toBe(width);
      }
      await open(page);
      await expect(page.locator('.countries li')).toHaveCount(height > 1_000 ? 12 : 8);
      await expectAccessible(page);
      const tall = await page.evaluate<number>("document.querySelector('main').scrollHeight");
      expect(tall, `the overview at ${width}`).toBeLessThan(2_500);
    }
  }
});

test('a write that is lost leaves writing off only until the next try, by itself, by the button, or by the network', async ({
  page,
}) => {
  const { id } = await create({ name: 'Lost Write' });
  await open(page);
  await page.evaluate(`location.hash = 'user=${id}'`);
  const save = page.getByRole('button', { name: 'Save' });
  let isDown = false;
  await page.route('**/api/users**', (route) => (isDown ? route.abort() : route.continue()));
  const ways = [
    () => page.getByRole('button', { name: 'Try now' }).click(),
    () => page.evaluate("dispatchEvent(new Event('online'))"),
    async () => undefined,
  ];
  await expect(page.getByLabel('Age', { exact: true })).toBeVisible();
  for (const [index, tryNow] of ways.entries()) {
    await page.getByLabel('Age', { exact: true }).fill(String(index));
    isDown = true;
    await save.click();
    await expect(page.locator('.banner')).toContainText('Next try in 5 s');
    await expect(save).toBeDisabled();
    // A try in vain is followed by others.
    const inVain = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
    await tryNow();
    await inVain;
    await expect(save).toBeDisabled();
    isDown = false;
    await tryNow();
    await expect(page.locator('.banner')).toHaveCount(0);
    await expect(save).toBeEnabled();
  }
  await save.click();
  await expect.poll(async () => (await call('GET', `/api/users/${id}`)).body).toMatchObject({ age: 2 });
});

test('without a connection what was read is shown, grey, and nothing can be written', async ({ page, context }) => {
  await open(page, 'show=users');
  const row = page.locator('tbody tr').first();
  const shown = await row.innerText();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'E-mail', exact: true }).click();
  const banner = page.getByRole('alert');
  await expect(banner).toContainText(/^No connection\.Shown: as of \d\d:\d\d\. Next try in 5 s\.Try now$/);
  expect(await row.innerText()).toBe(shown);
  for (const name of ['New user', 'Export'])
    await expect(page.getByRole('button', { name, exact: true })).toBeDisabled();
  await expect(page.locator('table')).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page);
  await banner.getByRole('button', { name: 'Try now' }).click();
  await expect(banner).toBeVisible();
  await context.setOffline(false);
  await expect(page.locator('table[aria-busy="false"]')).toBeVisible();
  await expect(banner).toHaveCount(0);
});
