import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Locator, type Page, type Route, test } from '@playwright/test';
import { ROUTES } from '../../lib/http/routes.ts';
import { firstIdAt } from '../../lib/users/ids.ts';
import { arrivalsUntil } from '../../tools/samples/arrivals.ts';
import { expectAccessible, expectTotal, seededService } from './seeded.ts';

test.use({ locale: 'en-GB', timezoneId: 'UTC' });

const SEEDED = 10_000;

interface User {
  id: number;
  name: string;
  country?: string;
}

const { admin, call, create, url } = seededService(SEEDED);

test.beforeAll(async () => {
  await createPictured();
  // With an empty journal a page costs the same in each picture, and all changes are in the feed.
  const journal = async () => (await call('GET', '/api/users?size=1')).headers.get('server-timing');
  await expect.poll(journal, { timeout: 60_000 }).toContain('journal;desc="0"');
});

const open = async (page: Page, view = 'show=users'): Promise<void> => {
  await page.goto(admin(view));
  await expect(page.locator('table[aria-busy="false"], .notice:not([aria-busy]), .trouble').first()).toBeVisible();
};

const names = async (page: Page): Promise<string[]> => page.locator('tbody td.of-name').allTextContents();

/** The answer of the API to the same question. A busy service is asked again, as the page does. */
async function asked(query: string): Promise<{ content: User[]; totalElements: number }> {
  for (;;) {
    const { status, body, headers } = await call('GET', `/api/users?${query}`);
    if (status === 503) await sleep(Number(headers.get('retry-after') ?? 1) * 1_000);
    else {
      expect(status, JSON.stringify(body)).toBe(200);
      return body as { content: User[]; totalElements: number };
    }
  }
}

/** Adds a filter as somebody does who types its value, and takes the first. */
async function filter(page: Page, text: string): Promise<void> {
  await page.getByLabel('Filter', { exact: true }).fill(text);
  await expect(suggested(page).first()).toContainText(/\d/);
  await page.keyboard.press('Enter');
}

const openFilter = (page: Page): Promise<void> => page.getByRole('button', { name: '+ Filter' }).click();
/** The options of a box. */
const suggested = (page: Page): Locator => page.locator('[role="option"]');
const search = (page: Page): Locator => page.getByRole('searchbox');
const card = (page: Page): Locator => page.getByRole('dialog');
const field = (page: Page, label: string): Locator => card(page).getByLabel(new RegExp(`^${label}`));

/** Opens a card without loading the page again. */
const openCard = (page: Page, id: number): Promise<void> =>
  page.evaluate(`history.pushState(null, '', '#user=${id}'); dispatchEvent(new Event('popstate'))`);

/** Opens the card of a new user, and enters something. */
async function edit(page: Page, fields: object, entered: Record<string, string>): Promise<number> {
  const { id } = await create(fields);
  await open(page);
  await openCard(page, id);
  for (const [label, text] of Object.entries(entered)) await field(page, label).fill(text);
  return id;
}

/** Users with moments that never change, for pictures. */
async function createPictured(): Promise<void> {
  const people = [
    ['Ada Lovelace', 36, 'active'],
    ['Alan Turing', 41, 'active'],
    ['Annie Easley', 77, 'pending'],
    ['Barbara Liskov', 87, 'active'],
    ['Claude Shannon', 84, 'suspended'],
    ['Edsger Dijkstra', 72, 'active'],
    ['Grace Hopper', 85, 'active'],
    ['Katherine Johnson', 101, 'active'],
    ['Radia Perlman', 74, 'pending'],
    ['Tony Hoare', 92, 'active'],
  ] as const;
  for (const [index, [name, age, status]] of people.entries()) {
    const [firstName, lastName] = name.split(' ');
    const email = `${firstName}.${lastName}@example.org`.toLowerCase();
    const json = { name, firstName, lastName, email, age, status, country: 'Pioneers' };
    const id = firstIdAt(Date.UTC(2026, 10, 1 + index, 9, 30));
    const { status: answer } = await call('PUT', `/api/users/${id}`, { json, headers: { 'If-None-Match': '*' } });
    expect(answer).toBe(201);
    if (name === 'Tony Hoare') await call('DELETE', `/api/users/${id}`);
    if (name === 'Annie Easley') await call('PATCH', `/api/users/${id}`, { json: { status: 'active', age: 78 } });
  }
}

/** A picture of the page. Texts that differ from run to run are hidden behind the colour of their background. */
const picture = (page: Page, maskColor: string) => ({
  mask: [card(page).locator('.change time'), page.locator('.costs')],
  maskColor,
  animations: 'disabled' as const,
});

/** Moments that never change, on the page and in what is answered. */
async function freeze(page: Page): Promise<void> {
  const now = Date.UTC(2026, 10, 20, 10);
  await page.clock.setFixedTime(now);
  await page.route('**/api/users/changes?*', async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    const { changes, next } = (await response.json()) as { changes: object[]; next?: string };
    const at = (index: number) => new Date(Date.UTC(2026, 10, 20, 9, 30 - 7 * index)).toISOString();
    await route.fulfill({
      response,
      json: { next, changes: changes.map((each, index) => ({ ...each, at: at(index) })) },
    });
  });
  await page.route('**/api/users/counts?by=createdAt.day*', async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    // The costs of a list depend on what its container has read before.
    const headers = { ...response.headers(), 'server-timing': 'dynamodb;desc="1 RRU";dur=15' };
    const momentOf = arrivalsUntil(now);
    const days = Array.from({ length: SEEDED }, (_, n) => new Date(momentOf(n / SEEDED)).toISOString().slice(0, 10));
    const counts = [...Map.groupBy(days, (day) => day)].map(([day, all]) => ({
      'createdAt.day': day,
      count: all.length,
    }));
    await route.fulfill({ response, headers, json: { total: SEEDED, counts } });
  });
  await page.route('**/api/users?*createdAt.lt=-P14D*', async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    await route.fulfill({ response, json: { ...(await response.json()), totalElements: 948 } });
  });
}

test('the page looks as in its pictures, light, dark, and on a phone', async ({ page }) => {
  await freeze(page);
  const screens = [
    ['overview', 'show=overview', 'light', '#ffffff'],
    ['light', 'country=Pioneers&sort=status&sort=age,desc', 'light', '#ffffff'],
    ['dark', 'show=changes', 'dark', '#09090b'],
  ] as const;
  for (const [name, view, shownIn, behind] of screens) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('about:blank');
      await page.goto(admin(view));
      await expect(page.locator('table[aria-busy="false"], .change').first()).toBeVisible();
      await expectAccessible(page);
      await page.setViewportSize({ width: 320, height: 568 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.setViewportSize({ width: 1280, height: 900 });
      if (shownIn === colorScheme) await expect(page).toHaveScreenshot(`admin-${name}.png`, picture(page, behind));
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await open(page, 'show=users');
  await openFilter(page);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  // The focus is on no button then.
  await page.goto('about:blank');
  await open(page, screens[1][1]);
  await page.mouse.move(0, 0);
  await expect(page).toHaveScreenshot('admin-phone.png', picture(page, '#ffffff'));
  await openFilter(page);
  await expectAccessible(page);
});

test('a country of the overview is a list, whose columns are chosen and stay', async ({ page }) => {
  await page.goto(admin(''));
  await expect(page.locator('.total h2')).toHaveText('10,009 users');
  const { totalElements } = await asked('country=DE&status=active&size=1');
  await page.getByRole('link', { name: /^Germany/ }).click();
  await expectTotal(page, (await asked('country=DE&size=1')).totalElements);
  await openFilter(page);
  await filter(page, 'acti');
  await expectTotal(page, totalElements);
  await page.keyboard.press('Escape');
  const columns = page.getByRole('columnheader');
  await expect(columns).toHaveText(['Name', 'E-mail', 'Status', 'Country', 'Created']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'E-mail', exact: true }).uncheck();
  await page.getByRole('checkbox', { name: 'Age', exact: true }).check();
  await page.reload();
  await expect(columns).toHaveText(['Name', 'Status', 'Country', 'Created', 'Age']);
  await expect(page.locator('.pager .costs')).toHaveText(/^[\d.]+ read units? · \$0\.0+\d$/);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByLabel('Show units and dollars').uncheck();
  await expect(page.locator('.costs')).toHaveCount(0);
});

test('those who are chosen on two pages are exported, and active Germans above 60, with the columns that are shown', async ({
  page,
}) => {
  await open(page, 'show=users&size=100');
  await expectTotal(page, SEEDED + 9);
  await page.locator('thead input').check();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.locator('thead input:not(:checked)').check();
  const ofTwoPages = page.waitForEvent('download');
  await page.locator('.chosen').getByRole('button', { name: 'Export', exact: true }).click();
  expect(readFileSync(await (await ofTwoPages).path(), 'utf8').split('\r\n')).toHaveLength(202);
  await openFilter(page);
  const menu = page.locator('[popover]:popover-open');
  const before = await menu.boundingBox();
  for (const text of ['active', 'german', 'older than 60']) await filter(page, text);
  // The menu stays below the hand, wherever the chips have moved the button.
  expect(await menu.boundingBox()).toMatchObject({ x: before?.x, y: before?.y });
  const query = 'status=active&country=DE&age.gt=60';
  await expectTotal(page, (await asked(query)).totalElements);
  const chips = page.getByRole('list', { name: 'Filters in use' }).getByRole('listitem');
  await expect(chips).toContainText(['Status active', 'Country Germany', 'Age above 60']);
  await expect(page).toHaveTitle(/users: Status active, Country Germany, Age above 60 · Users dev$/);
  await page.keyboard.press('Escape');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const text = readFileSync(await (await downloading).path(), 'utf8');
  expect(text.split('\n')[0]).toBe('\uFEFFid,name,email,status,country,createdAt,age\r');
  await page.goBack();
  await expect(chips).toHaveCount(2);
});

test('any filter is had by its field, how, and a value; a value that nobody has is said', async ({ page }) => {
  await open(page);
  await openFilter(page);
  await suggested(page).filter({ hasText: 'E-mail …' }).click();
  await page.getByLabel('How').selectOption('ends with');
  await page.getByLabel('Value').fill('@web.example');
  await page.keyboard.press('Enter');
  await expectTotal(page, (await asked('email.endsWith=@web.example&size=1')).totalElements);
  await filter(page, 'Germany');
  await suggested(page).filter({ hasText: 'Status …' }).click();
  await page.getByLabel('Value').fill('suspnded');
  await expect(page.locator('.options')).toContainText('nobody has it');
  await page.getByLabel('How').selectOption('is not');
  await page.getByLabel('Value').fill('act');
  await expect(suggested(page).first()).toHaveText(/Status not active/);
  await page.keyboard.press('Enter');
  await suggested(page).filter({ hasText: 'Created …' }).click();
  await page.getByLabel('Value').fill('2025-06-01T00:00');
  await page.keyboard.press('Enter');
  const query = 'email.endsWith=@web.example&country=DE&status.not=active&createdAt.gte=2025-06-01';
  await expectTotal(page, (await asked(`${query}&size=1`)).totalElements);
  await page.getByRole('button', { name: 'Remove Country Germany' }).click();
  await openFilter(page);
  await suggested(page).filter({ hasText: 'Country …' }).click();
  await page.getByLabel('How').selectOption('has a value');
  await suggested(page).filter({ hasText: 'Without Country' }).click();
  await expectTotal(page, (await asked(`${query.replace('country=DE', 'country.missing=true')}&size=1`)).totalElements);
});

test('a search begins while somebody types; an older answer never replaces a newer one', async ({ page }) => {
  await open(page);
  await expectTotal(page, SEEDED + 9);
  // The first answer comes last.
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = /api\/users\?.*q=so(&|$)/;
  await page.route(first, async (route) => {
    await promise;
    await route.continue().catch(() => undefined);
  });
  const isOver = Promise.race(
    (['requestfinished', 'requestfailed'] as const).map((event) =>
      page.waitForEvent(event as 'requestfinished', (request) => first.test(request.url())),
    ),
  );
  await search(page).fill('so');
  await expect(page.locator('table')).toHaveAttribute('aria-busy', 'true');
  await search(page).fill('sooth');
  await search(page).fill('schmi');
  const { content, totalElements } = await asked('q=schmi&sort=createdAt,desc');
  expect(totalElements).toBeGreaterThan(0);
  await expectTotal(page, totalElements);
  resolve();
  await isOver;
  // Until an answer would have been shown.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  await expectTotal(page, totalElements);
  expect(await names(page)).toEqual(content.map(({ name }) => name));
  expect(new URL(page.url()).hash).toBe('#q=schmi');

  // By an address, and by the first letters of two names.
  for (const text of ['hop GRA', 'grace.hopper@']) {
    await search(page).fill(text);
    await expect(page).toHaveURL((url) => new URLSearchParams(url.hash.slice(1)).get('q') === text);
    await expectTotal(page, 1);
  }
  await page.goBack();
  await expect(search(page)).not.toHaveValue('grace.hopper@');

  // By id.
  const { id, name } = content[0] ?? { id: 0, name: '' };
  await search(page).fill(String(id));
  await expect(page.locator('tbody a')).toHaveText([name]);
  await search(page).press('Enter');
  await page.keyboard.press('Enter');
  await expect(card(page).getByRole('heading', { name, exact: true })).toBeVisible();
});

test('a list with filters and an order has deep pages, each with an address', async ({ page }) => {
  const query = 'status=active&status=pending&age.gte=30&createdAt.gte=2020-01-01&sort=country&sort=lastName,desc';
  await open(page, query);
  await page.getByLabel('Per page').selectOption('50 per page');
  await page.getByLabel('Page', { exact: true }).fill('41');
  await page.getByLabel('Page', { exact: true }).press('Enter');
  const { content, totalElements } = await asked(`${query}&size=50&page=40`);
  expect(content.length).toBe(50);
  const where = page.locator('.pager span').first();
  await expect(where).toHaveText(`2,001–2,050 of ${totalElements.toLocaleString('en-GB')}`);
  await expect.poll(() => names(page)).toEqual(content.map(({ name }) => name));
  await expect(page.getByRole('columnheader', { name: 'Country' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByRole('columnheader', { name: 'Last name' })).toHaveAttribute('aria-sort', 'descending');

  await page.reload();
  await expect.poll(() => names(page)).toEqual(content.map(({ name }) => name));
  await page.getByLabel('Page', { exact: true }).fill('999999');
  await page.getByLabel('Page', { exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
  await expect(where).toContainText(`–${totalElements.toLocaleString('en-GB')} of`);
  await page.getByRole('button', { name: 'Remove Status pending' }).click();
  await expectTotal(page, (await asked(query.replace('&status=pending', ''))).totalElements);
  await page.getByRole('button', { name: 'E-mail', exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'E-mail' })).toHaveAttribute('aria-sort', 'ascending');

  // A phone has no heads of columns.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'More of the list' }).click();
  await page.getByLabel('Sort by').selectOption('Last name');
  await page.getByRole('checkbox', { name: 'Age', exact: true }).uncheck();
  await expect(page).toHaveURL(/sort=lastName&/);
  await expect(page.locator('td.of-lastName').first()).toBeVisible();
  await expect(page.locator('td.of-age')).toHaveCount(0);
});

test('what is misspelt in the address is said by the service, and keeps what was shown, greyed', async ({ page }) => {
  await open(page);
  await page.evaluate("location.hash = '#staus=active&age=30'");
  await expect(page.getByRole('alert').locator('q')).toHaveText('Unknown parameter staus: is status meant?');
  await expect(page.locator('table[aria-busy="true"] tbody tr')).toHaveCount(20);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove Staus active' }).click();
  await expectTotal(page, (await asked('age=30')).totalElements);
  // The path of something else is no user either.
  for (const id of ['x', 'counts', 'all', '1/changes', '..', '1e3']) {
    await page.evaluate(`location.hash = '#user=${id}'`);
    await expect(card(page).getByRole('heading', { name: `User ${id}` })).toBeVisible();
    await expect(card(page).getByRole('alert').locator('q')).toHaveText(/^id must be a 64-bit integer/);
    await card(page).getByRole('button', { name: 'Close' }).click();
    await expect(card(page)).toHaveCount(0);
  }
});

test('a new user is created once its fields have nothing wrong beside them', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'New user' }).click();
  await field(page, 'E-mail').fill('nobody');
  await field(page, 'Age').fill('-1');
  await card(page).getByRole('button', { name: 'Create' }).click();
  await expect(card(page).getByText('Name is required')).toBeVisible();
  await expect(card(page).getByText('Email must be valid')).toBeVisible();
  await expect(card(page).getByText('Age must be positive')).toBeVisible();
  await expect(field(page, 'Age')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await field(page, 'Name').fill('Zoë <b>Created</b>');
  await field(page, 'E-mail').fill('zoe@example.org');
  await field(page, 'Age').fill('0');
  await card(page).getByRole('button', { name: 'Create' }).click();
  await expect(page.locator('.toast')).toContainText('Zoë <b>Created</b> was created');
  expect((await asked('email=zoe@example.org')).content).toMatchObject([{ name: 'Zoë <b>Created</b>', age: 0 }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.toast')).toContainText('Zoë <b>Created</b> was created: undone');
  expect((await asked('email=zoe@example.org')).content).toEqual([]);
});

/** Gives the changes of a user authors, those of the first one first, and moments that are so far apart. */
const nameAuthors = (page: Page, authors: readonly string[], apartMs = 0): Promise<unknown> =>
  page.route('**/api/users/*/changes', async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    const changes = (await response.json()) as { at: string }[];
    const json = changes.map((each, fromNewest) => {
      const from = changes.length - 1 - fromNewest;
      return { ...each, byName: authors[from], at: new Date(Date.parse(each.at) + from * apartMs).toISOString() };
    });
    await route.fulfill({ response, json });
  });

test('who saves a user that somebody else has changed sees what they changed, and may save again', async ({ page }) => {
  const [grace] = (await asked('email=grace.hopper@example.org')).content;
  await open(page, `user=${grace?.id}`);
  await field(page, 'Age').fill('86');
  await field(page, 'Status').fill('retired');
  await field(page, 'Country').fill('');
  // Somebody else was faster, with one of these fields and with another one.
  await nameAuthors(page, ['Ann Lee', 'Béla Nagy']);
  await call('PATCH', `/api/users/${grace?.id}`, { json: { status: 'suspended', lastName: 'Murray' } });
  await card(page).getByRole('button', { name: 'Save' }).click();
  await card(page).getByRole('button', { name: 'store it as it is' }).click();
  await card(page).getByRole('button', { name: 'Save' }).click();
  await expect(card(page).getByRole('alert')).toContainText(
    /Béla Nagy has saved meanwhile.*Last name Hopper →\sMurray.*active →\ssuspended/,
  );
  await expect(field(page, 'Last name')).toHaveValue('Murray');
  await expect(field(page, 'Status')).toHaveValue('retired');
  await expect(card(page)).toHaveScreenshot('admin-conflict.png', picture(page, '#ffffff'));
  await expectAccessible(page);
  await field(page, 'Status').fill('suspended');
  await card(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.toast')).toContainText('Grace Hopper was saved');
  const updatedAt = expect.any(String);
  const { country: _, ...left } = { ...grace, age: 86, status: 'suspended', lastName: 'Murray', updatedAt };
  expect((await call('GET', `/api/users/${grace?.id}`)).body).toEqual(left);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.toast')).toContainText('Grace Hopper was saved: undone');
  const undone = { ...left, age: 85, country: 'Pioneers' };
  expect((await call('GET', `/api/users/${grace?.id}`)).body).toEqual(undone);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a status that nobody has is said before it is stored, attributes are rows, and what was before is restored', async ({
  page,
}) => {
  const attributes = { team: 'red', seats: 3, tags: ['a, b', 'c'] };
  const id = await edit(page, { name: 'Asked', status: 'active', attributes }, { Status: 'suspnded' });
  const save = card(page).getByRole('button', { name: 'Save' });
  await save.click();
  await expect(card(page).locator('.doubt')).toHaveText(
    /^Nobody has the status “suspnded” yet. Is suspended \(\d+ users\) meant\? Or store it as it is.$/,
  );
  await expect(field(page, 'Status')).toBeFocused();
  await card(page).getByRole('button', { name: 'suspended', exact: true }).click();
  await expect(field(page, 'Status')).toHaveValue('suspended');
  await card(page).getByRole('button', { name: 'Remove team' }).click();
  await card(page).getByRole('button', { name: 'Attribute', exact: true }).click();
  await expect(card(page).getByLabel('Name of the attribute')).toBeFocused();
  await page.keyboard.type('constructor');
  await card(page).getByLabel('Kind').selectOption('yes / no');
  await card(page).getByLabel('yes', { exact: true }).check();
  await expectAccessible(page);
  await save.click();
  await expect(page.locator('.toast')).toContainText('Asked was saved');
  const changed = { status: 'suspended', attributes: { constructor: true, seats: 3, tags: ['a, b', 'c'] } };
  const now = async () => (await call('GET', `/api/users/${id}`)).body;
  expect(await now()).toMatchObject(changed);
  // The card stays, with what was saved.
  await expect(save).toBeDisabled();
  await call('PATCH', `/api/users/${id}`, { json: { age: 7 } });
  await page.reload();
  // One line gives back what it has replaced, and leaves all else.
  await card(page).getByRole('tab', { name: 'History 3' }).click();
  await card(page).getByRole('button', { name: 'Restore' }).nth(1).click();
  await expect.poll(now).toMatchObject({ status: 'active', attributes, age: 7 });
  await card(page).getByRole('link', { name: 'As it was' }).last().click();
  await card(page).getByRole('button', { name: 'Restore this' }).click();
  await expect.poll(now).not.toHaveProperty('age');
});

test('an attribute is stored as the kind that was chosen, or not at all', async ({ page }) => {
  await create({ name: 'Of other tags', attributes: { tags: ['trial'] } });
  await open(page, 'show=users&user=new');
  await field(page, 'Name').fill('Of Kinds');
  const rows = [
    ['level', 'number', 'five'],
    ['contractEnd', 'date', '2027-01-31'],
    ['tags', 'list', 'vip, beta'],
    ['note', 'text', '5'],
  ] as const;
  for (const [name, kind, value] of rows) {
    await card(page).getByRole('button', { name: 'Attribute', exact: true }).click();
    await page.keyboard.type(name);
    await card(page).getByLabel('Kind').last().selectOption(kind);
    await card(page).getByLabel('Value').last().fill(value);
  }
  const send = card(page).getByRole('button', { name: 'Create' });
  await send.click();
  await expect(card(page).locator('.fault').first()).toHaveText(
    '“five” is no number. Write digits, such as 5, or choose text',
  );
  await expect(card(page).getByText('1 field needs a look')).toBeVisible();
  await expect(card(page).getByLabel('Value').first()).toBeFocused();
  expect((await asked('name=Of Kinds&size=1')).totalElements).toBe(0);
  await expectAccessible(page);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('5');
  // Tags that nobody has are said, each once.
  for (const tag of ['vip', 'beta']) {
    await send.click();
    await expect(card(page).locator('.doubt b')).toHaveText(`Nobody has “${tag}” in tags yet.`);
    await card(page).getByRole('button', { name: 'store it as it is' }).click();
  }
  await send.click();
  await expect(page.locator('.toast')).toContainText('Of Kinds was created');
  const attributes = { level: 5, contractEnd: '2027-01-31', tags: ['vip', 'beta'], note: '5' };
  expect((await asked('name=Of Kinds')).content).toMatchObject([{ attributes }]);
});

test('a country that is typed by its name is stored by its code', async ({ page }) => {
  const ways: ((page: Page) => Promise<void>)[] = [
    // Left, chosen by Enter, and saved at once.
    () =>
      field(page, 'Country')
        .fill('Brazil')
        .then(() => page.keyboard.press('Tab')),
    () =>
      field(page, 'Country')
        .fill('braz')
        .then(() => page.keyboard.press('Enter')),
    () => field(page, 'Country').fill('  brazil'),
  ];
  for (const [index, way] of ways.entries()) {
    const id = await edit(page, { name: `Of Brazil ${index}` }, {});
    await way(page);
    await card(page).getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('.toast')).toContainText(`Of Brazil ${index} was saved`);
    expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ country: 'BR' });
  }
  expect((await asked('country=Brazil&size=1')).totalElements).toBe(0);
  // Escape closes the list alone.
  await field(page, 'Country').fill('ger');
  await expect(suggested(page).first()).toHaveText(/^Germany *DE *[\d,]+$/);
  await expect(field(page, 'Country')).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(suggested(page)).toHaveCount(0);
  await expect(card(page)).toBeVisible();
});

test('a save waits until it is known whether somebody has a value, and not if that cannot be known', async ({
  page,
}) => {
  const answers = [
    (route: Route) => route.continue(),
    (route: Route) => route.fulfill({ status: 503, json: { status: 503, message: 'not now' } }),
  ];
  for (const [index, answer] of answers.entries()) {
    const id = await edit(page, { name: `Slow ${index}` }, {});
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/counts?by=country', (route) => promise.then(() => answer(route)));
    await field(page, 'Country').fill('BR');
    await card(page).getByRole('button', { name: 'Save' }).click();
    // Until the click has been handled, and a frame was painted.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    expect((await call('GET', `/api/users/${id}`)).body).not.toHaveProperty('country');
    resolve();
    await expect(page.locator('.toast')).toContainText(`Slow ${index} was saved`);
    expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ country: 'BR' });
    await page.unroute('**/counts?by=country');
  }
});

test('what was entered stays when the answer to a save does not come, and may be saved again', async ({ page }) => {
  const attributes = { team: 'red', constructor: 3, tags: ['a, b', 'c'], vip: false };
  const id = await edit(page, { name: 'Kept', age: 1, attributes }, { Age: '2' });
  await page.route('**/api/users/*', (route) =>
    route.request().method() === 'PATCH' ? route.fetch({ maxRetries: 3 }).then(() => route.abort()) : route.continue(),
  );
  await card(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('No connection');
  page.once('dialog', (question) => question.dismiss());
  await page.goBack();
  await expect(field(page, 'Age')).toHaveValue('2');
  await page.unroute('**/api/users/*');
  await card(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.toast')).toContainText('Kept was saved');
  expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ age: 2, attributes });
});

/** Holds changes back until the function is called that it returns. */
async function holdBack(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/users/*', async (route) => {
    if (route.request().method() === 'PATCH') await promise;
    await route.continue();
  });
  return resolve;
}

test('nothing can be entered while a card is saved, and a late answer closes only that card', async ({ page }) => {
  page.on('dialog', (question) => question.accept());
  const id = await edit(page, { name: 'Late' }, { Age: '2' });
  const change = await holdBack(page);
  await card(page).getByRole('button', { name: 'Save' }).click();
  await expect(field(page, 'Age')).toHaveAttribute('readonly');
  await page.keyboard.press('Escape');
  await expect(card(page)).toHaveCount(0);
  await openCard(page, id);
  await field(page, 'Status').fill('entered');
  change();
  await expect(page.locator('.toast')).toContainText('Late was saved');
  await expect(page.locator('table')).toHaveAttribute('aria-busy', 'false');
  await expect(field(page, 'Status')).toHaveValue('entered');
});

test('a deleted user comes back with the same id, at once or later', async ({ page }) => {
  const fields = { name: 'Come Back', email: 'back@example.org', age: Number.MAX_SAFE_INTEGER, country: 'NZ' };
  const { id } = await create(fields);
  await open(page, `country=NZ&sort=id,desc&user=${id}`);
  await card(page).getByRole('button', { name: 'More' }).click();
  await card(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.locator('.toast')).toContainText('Come Back was deleted');
  await expect.poll(() => names(page)).not.toContain('Come Back');
  expect((await call('GET', `/api/users/${id}`)).status).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => names(page)).toContain('Come Back');
  expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ id, ...fields });

  await call('DELETE', `/api/users/${id}`);
  await open(page, `user=${id}`);
  await expect(card(page).getByRole('heading', { name: 'Come Back' })).toBeVisible();
  await expect(card(page)).toContainText(/Deleted just now/);
  await expect(card(page).locator('.values')).toHaveText(/E-mailback@example.org.*CountryNew Zealand/);
  await expectAccessible(page);
  await card(page).getByRole('button', { name: 'Bring back' }).click();
  await expect.poll(async () => (await call('GET', `/api/users/${id}`)).body).toMatchObject({ id, ...fields });
  await expect(page.locator('.toast')).toContainText('Come Back is back');
  // The card has the user again.
  await expect(field(page, 'E-mail')).toHaveValue('back@example.org');
});

test('a card whose user is gone when it is saved or deleted becomes that of a deleted user', async ({ page }) => {
  const id = await edit(page, { name: 'Gone Meanwhile', age: 1 }, { Age: '2' });
  await call('DELETE', `/api/users/${id}`);
  await card(page).getByRole('button', { name: 'Save' }).click();
  await expect(card(page).locator('.values')).toHaveText('Age1');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await card(page).getByRole('button', { name: 'Bring back' }).click();
  await expect(page.locator('.toast')).toContainText('Gone Meanwhile is back');

  // A deletion whose answer is lost, and which is asked for again, also with something entered.
  await field(page, 'Age').fill('3');
  await page.route('**/api/users/*', (route) =>
    route.request().method() === 'DELETE' ? route.fetch({ maxRetries: 3 }).then(() => route.abort()) : route.continue(),
  );
  const remove = async () => {
    await card(page).getByRole('button', { name: 'More' }).click();
    await card(page).getByRole('button', { name: 'Delete' }).click();
  };
  await remove();
  await expect(page.getByRole('alert').first()).toContainText('No connection');
  await page.unroute('**/api/users/*');
  await remove();
  await card(page).getByRole('button', { name: 'Bring back' }).click();
  await expect.poll(async () => (await call('GET', `/api/users/${id}`)).body).toMatchObject({ age: 1 });
});

test('a user whose creation was not answered is created once: what was entered stays as it is until there is an answer', async ({
  page,
}) => {
  await open(page, 'user=new');
  await field(page, 'Name').fill('Created Once');
  await page.route('**/api/users', (route) =>
    route.request().method() === 'POST' ? route.fetch({ maxRetries: 3 }).then(() => route.abort()) : route.continue(),
  );
  const button = card(page).getByRole('button', { name: 'Create' });
  await button.click();
  await expect(card(page).locator('.note')).toHaveText('Create them again before you change them.');
  await expect(field(page, 'Name')).toHaveAttribute('readonly');
  await page.unroute('**/api/users');
  await button.click();
  await expect(page.locator('.toast')).toContainText('Created Once was created');
  expect((await asked('q=created once')).totalElements).toBe(1);
});

test('why something was not done is told also where its card is closed, or of a row', async ({ page }) => {
  const { id } = await create({ name: 'Slow Refusal', country: 'Refusing' });
  await open(page, `country=Refusing&user=${id}`);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/api/users/${id}`, async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue();
    await promise;
    return route.fulfill({ status: 503, json: { status: 503, message: 'Busy' } });
  });
  await card(page).getByRole('button', { name: 'More' }).click();
  await card(page).getByRole('button', { name: 'Delete' }).click();
  await card(page).getByRole('button', { name: 'Close' }).click();
  await expect(card(page)).toHaveCount(0);
  resolve();
  const toast = page.locator('.toast');
  await expect(toast).toHaveText('Slow Refusal: It is not known whether it was done: Busy');

  await page.locator('tbody tr a').click();
  await field(page, 'Age').fill('1');
  const release = await holdBack(page);
  await card(page).getByRole('button', { name: 'Save' }).click();
  await call('PATCH', `/api/users/${id}`, { json: { age: 2 } });
  page.once('dialog', (question) => question.accept());
  await card(page).getByRole('button', { name: 'Close' }).click();
  release();
  await expect(toast).toHaveText('Slow Refusal: Not done: somebody was faster');

  await call('DELETE', `/api/users/${id}`);
  await page.locator('tbody tr').hover();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await expect(toast).toHaveText(`Slow Refusal: Not done: User not found with id: ${id}`);
  await expect(page.locator('tbody tr')).toHaveCount(0);
});

test('a line of the history is not given back to somebody who was deleted meanwhile: the card shows that', async ({
  page,
}) => {
  const { id } = await create({ name: 'Deleted Beside', age: 1 });
  await call('PATCH', `/api/users/${id}`, { json: { age: 2 } });
  await open(page, `user=${id}`);
  await card(page).getByRole('tab', { name: 'History' }).click();
  const restore = card(page).getByRole('button', { name: 'Restore' });
  await expect(restore).toBeVisible();
  await call('DELETE', `/api/users/${id}`);
  await restore.click();
  await expect(card(page).getByRole('button', { name: 'Bring back' })).toHaveCount(0);
  await expect(card(page).locator('.timeline')).toContainText('deleted');
  await expect(restore).toHaveCount(0);
  await card(page).getByRole('tab', { name: 'Details' }).click();
  await card(page).getByRole('button', { name: 'Bring back' }).click();
  await expect(page.locator('.toast')).toContainText('Deleted Beside is back');
});

test('others who have an e-mail are said once its box was left, by one question', async ({ page }) => {
  const { id } = await create({ name: 'Zoë Ångström', email: 'taken@example.org' });
  const questions: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('email=')) questions.push(new URL(request.url()).search);
  });
  await open(page, 'show=users&user=new');
  const hint = card(page).locator('.hint');
  await field(page, 'Name').fill('Of The Same Address');
  await field(page, 'E-mail').pressSequentially('Taken@example.org');
  expect(questions).toEqual([]);
  await page.keyboard.press('Tab');
  await expect(hint).toHaveText('One user has this address: Zoë Ångström');
  await expect(hint.getByRole('link')).toHaveAttribute('href', new RegExp(`user=${id}`));
  expect(questions).toEqual(['?email=Taken%40example.org&size=1&fields=name']);
  await expectAccessible(page);
  // Nobody has another one.
  await field(page, 'E-mail').fill('free@example.org');
  await expect(hint).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect.poll(() => questions).toHaveLength(2);
  await expect(hint).toHaveCount(0);
  // Their list is beside the form, which keeps what was entered.
  await create({ name: 'Second Of It', email: 'taken@example.org' });
  await field(page, 'E-mail').fill('taken@example.org');
  await page.keyboard.press('Tab');
  await expect(hint).toHaveText('2 users have this address');
  await hint.getByRole('link').click();
  await expectTotal(page, 2);
  await expect(field(page, 'Name')).toHaveValue('Of The Same Address');
  // The address of the user herself is no news.
  page.once('dialog', (question) => question.accept());
  await open(page, `user=${id}`);
  await field(page, 'E-mail').focus();
  await page.keyboard.press('Tab');
  await expect(card(page).getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(hint).toHaveCount(0);
});

test('a moment among the attributes is told as so long ago, and is exact on hover', async ({ page }) => {
  const at = new Date(Date.now() - (77 * 24 + 1) * 3_600_000);
  const said = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(
    at,
  );
  const attributes = { lastSeen: at.toISOString(), tags: ['vip', 'beta'], team: 'red' };
  const { id } = await create({ name: 'Seen', age: 8, status: 'active', email: 'seen@example.org', attributes });
  await open(page, `user=${id}`);
  const away = card(page).locator('time').getByText('77 days ago');
  await expect(field(page, 'lastSeen')).toHaveValue(said);
  await expect(away).toHaveAttribute('title', said);
  // Somebody who types has it as it is stored, and nothing is changed by a look.
  await field(page, 'lastSeen').focus();
  await expect(field(page, 'lastSeen')).toHaveValue(at.toISOString());
  await page.keyboard.press('Tab');
  await expect(field(page, 'lastSeen')).toHaveValue(said);
  await expect(card(page).getByRole('button', { name: 'Save' })).toBeDisabled();
  await call('DELETE', `/api/users/${id}`);
  await page.reload();
  await expect(card(page).locator('.values dt')).toHaveText(['E-mail', 'Status', 'Age', 'lastSeen', 'tags', 'team']);
  await expect(card(page).locator('.values .item')).toHaveText(['vip', 'beta']);
  await expect(away).toHaveAttribute('title', said);
});

test('a deletion that was taken back is one line of the history, and an edit that was undone says so', async ({
  page,
}) => {
  const fields = { name: 'There And Back', attributes: { journey: 'one' } };
  const { id } = await create(fields);
  await call('DELETE', `/api/users/${id}`);
  await call('PUT', `/api/users/${id}`, { json: fields, headers: { 'If-None-Match': '*' } });
  const change = { patch: { status: 'active' }, atMost: 1 };
  await expect.poll(async () => (await asked('attributes.journey=one')).totalElements).toBe(1);
  const { body } = await call('POST', '/api/users/edits?attributes.journey=one', { json: change });
  await call('POST', `/api/users/edits/${(body as { edit: string }).edit}/undo`);
  await nameAuthors(page, ['sign-up form', 'Béla Nagy', 'Ann Lee'], 120_000);
  await open(page, `user=${id}`);
  await card(page).getByRole('tab', { name: 'History 5' }).click();
  const lines = card(page).locator('.timeline > li');
  await expect(lines).toHaveText([
    /changedStatus active →\snone.*Undo, a change of many/,
    /changedStatus none →\sactive.*a change of many · undone/,
    /Béla Nagy deleted *and brought back by Ann Lee 2 minutes later/,
    /sign-up form created/,
  ]);
  await expect(card(page).getByRole('button', { name: 'Undo for all' })).toHaveCount(0);
  await expect(card(page).getByText('Kept for 7 days.')).toBeVisible();
  await expectAccessible(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('who cannot be read is not shown as the one before', async ({ page }) => {
  const [first, second] = [await create({ name: 'Read' }), await create({ name: 'Not Read' })];
  await open(page, `user=${first.id}`);
  await expect(card(page).getByRole('heading', { name: 'Read' })).toBeVisible();
  await page.route(`**/api/users/${second.id}`, (route) => route.fulfill({ status: 500, json: { message: 'broken' } }));
  await openCard(page, second.id);
  await expect(card(page).getByRole('alert')).toContainText('broken');
  await expect(card(page).getByRole('heading', { name: 'Not Read' })).toBeVisible();
  await expect(card(page).locator('form')).toHaveCount(0);
});

test('an export has the list of its click, also when a later list fails meanwhile', async ({ page }) => {
  await open(page, 'status=suspended&sort=name');
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/users/all?*', async (route) => {
    await promise;
    await route.continue();
  });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByRole('progressbar', { name: 'Export' })).toBeVisible();
  await page.route('**/api/users?*', (route) => route.fulfill({ status: 429, headers: { 'retry-after': '1' } }));
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Too many requests' })).toBeVisible();
  await page.unroute('**/api/users?*');
  await expect(page.locator('table[aria-busy="false"]')).toBeVisible();
  resolve();
  const download = await downloading;
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeEnabled();
  expect(download.suggestedFilename()).toBe('users.csv');
  const shown = 'name,email,status,country,createdAt';
  const expected = await fetch(`${url()}/api/users/all?status=suspended&sort=name&fields=${shown}`, {
    headers: { accept: 'text/csv', connection: 'close' },
  }).then((response) => response.text());
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).toBe(`\uFEFF${expected}`);
});

/** The panel in which many users are changed, of all who match. */
async function changeAll(page: Page, count: number): Promise<Locator> {
  await page.getByRole('checkbox', { name: 'Choose all of this page' }).check();
  await page.getByRole('button', { name: `Choose all ${count}` }).click();
  await page.getByRole('button', { name: 'Change …' }).click();
  return page.getByRole('dialog');
}

test('a change of many is done by its button alone, after a preview of exactly this', async ({ page }) => {
  const country = 'Buttoned';
  for (let i = 0; i < 22; i++) await create({ name: `Of All ${i}`, country, status: 'new' });
  await open(page, `country=${country}`);
  const panel = await changeAll(page, 22);
  const button = panel.getByRole('button', { name: 'Change 22 users' });
  const value = panel.getByRole('combobox', { name: 'Status' });
  await expect(value).toBeFocused();
  await expect(button).toBeDisabled();
  await value.fill('suspnded');
  // It waits for the preview, whoever is in a hurry.
  await expect(button).toBeDisabled();
  await expect(panel.locator('.preview tbody tr').first()).toHaveText(/^Of All 0 *new *suspnded$/);
  await expect(button).toBeEnabled();
  await expect(button).toBeInViewport();
  for (const key of ['Escape', 'Enter', 'Enter']) await value.press(key);
  await expect(panel.locator('.doubt')).toHaveText(
    /^Nobody has the status “suspnded” yet. Is suspended \(\d+ users\) meant\?$/,
  );
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'suspended' }).click();
  await expect(button).toBeDisabled();
  await expect(panel.locator('.preview tbody tr').first()).toHaveText(/suspended$/);
  for (const box of ['Field', 'How']) await panel.getByLabel(box).press('Enter');
  await value.press('Enter');
  expect((await asked(`country=${country}&status=new&size=1`)).totalElements).toBe(22);
  await expect(button).toBeEnabled();
  await button.click();
  await expect(page.locator('.toast')).toContainText('Changed: 22 users');
  expect((await asked(`country=${country}&status=suspended&size=1`)).totalElements).toBe(22);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.toast')).toContainText('As before: 22 users');
  expect((await asked(`country=${country}&status=new&size=1`)).totalElements).toBe(22);
});

test('all that match get tags and an attribute, lose a tag, and are deleted, but not more than were counted', async ({
  page,
}) => {
  for (let i = 0; i < 20; i++)
    await create({ name: `Of All ${i}`, country: 'AllOfThem', attributes: { tags: ['old'] } });
  await create({ name: 'Last', country: 'AllOfThem', attributes: { tags: ['old'] } });
  await open(page, 'country=AllOfThem');
  const reach = (query: string, count: number) =>
    expect.poll(async () => (await asked(`country=AllOfThem&${query}`)).totalElements).toBe(count);
  const set = async (how: string, text: string, preview: RegExp) => {
    const panel = await changeAll(page, 21);
    await panel.getByLabel('Field').selectOption('tags');
    await panel.getByLabel('How').selectOption(how);
    await panel.getByRole('combobox', { name: 'tags' }).fill(text);
    await page.keyboard.press('Tab');
    await expect(panel.locator('.preview tbody tr').first()).toHaveText(preview);
    await panel.getByRole('button', { name: 'Change 21 users' }).click();
  };
  await set('gets', 'vip, new', /^Of All 0 *old *old, vip, new$/);
  await reach('attributes.tags=new', 21);
  await set('loses', 'new', /^Of All 0 *old, vip, new *old, vip$/);
  await reach('attributes.tags=new', 0);
  await reach('attributes.tags=vip', 21);
  const panel = await changeAll(page, 21);
  await panel.getByLabel('Field').selectOption('Another attribute …');
  await panel.getByLabel('Name of the attribute').fill('seats');
  await panel.getByLabel('How').selectOption('becomes a number');
  await panel.getByLabel('Value', { exact: true }).fill('three');
  await panel.getByLabel('Name of the attribute').focus();
  await expect(panel.locator('.fault')).toHaveText('“three” is no number. Write digits, such as 5, or choose text');
  await expect(panel.getByRole('button', { name: 'Change 21 users' })).toBeDisabled();
  await panel.getByLabel('Value', { exact: true }).fill('3');
  await panel.getByRole('button', { name: 'Change 21 users' }).click();
  await reach('attributes.seats=3', 21);
  await page.getByRole('checkbox', { name: 'Choose all of this page' }).check();
  await page.getByRole('button', { name: 'Choose all 21' }).click();
  await page.getByRole('button', { name: 'Delete …' }).click();
  await expectAccessible(page);
  await panel.getByRole('textbox').fill('delete 21');
  await create({ name: 'Of All, too', country: 'AllOfThem' });
  await panel.getByRole('button', { name: 'Delete 21 users' }).click();
  // The panel is there again, with a preview of those who match by now, and other words.
  await expect(panel.getByRole('alert')).toHaveText('22 users match, more than atMost Look at the preview again.');
  expect((await asked('country=AllOfThem')).totalElements).toBe(22);
  const remove = panel.getByRole('button', { name: 'Delete 22 users' });
  await expect(panel.locator('kbd')).toHaveText('delete 22');
  await expect(remove).toBeDisabled();
  await panel.getByRole('textbox').fill('delete 22');
  await remove.click();
  await expect(page.locator('.toast')).toContainText('Deleted: 22 users');
});

test('a change of many shows how far it is, is stopped, and goes on while its panel is closed', async ({ page }) => {
  const of = 'Progressing';
  for (let i = 0; i < 4; i++) await create({ name: `Step ${i}`, country: of });
  await open(page, `country=${of}`);
  let calls = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const failed = [
    { id: (await asked(`country=${of}`)).content[3]?.id, status: 503, message: 'The service was busy', code: 'busy' },
  ];
  await page.route('**/api/users/edits?*', async (route) => {
    if (route.request().postDataJSON().dryRun) return route.continue();
    calls++;
    if (calls > 1) await promise;
    return route.fulfill({ json: { edit: '0123456789abcdef', changed: calls, unchanged: 0, failed, left: 3 - calls } });
  });
  await page.getByRole('checkbox', { name: 'Choose all of this page' }).check();
  await page.getByRole('button', { name: 'Change …' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByRole('combobox', { name: 'Status' }).fill('active');
  await panel.getByRole('button', { name: 'Change 4 users' }).click();
  const stop = panel.getByRole('button', { name: 'Stop here' });
  await stop.hover();
  // The second click of a double click on the button that was there before.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await expect(stop).toBeEnabled();
  const progress = page.getByRole('progressbar');
  await expect(progress).toHaveAttribute('aria-valuenow', '2');
  await expect(progress).toHaveAttribute('aria-valuemax', '4');
  await expect(progress).toHaveAttribute('aria-valuetext', '2 of 4');
  await expect(panel.getByRole('status').filter({ hasText: 'Changing: 50 %' })).toBeAttached();
  await expect(panel.locator('.failures')).toHaveText('Step 3The service was busy');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  const bar = page.getByRole('region', { name: 'On its way' });
  await expect(bar).toContainText('2 of 4');
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Stop here' }).click();
  resolve();
  await expect(bar.getByRole('button', { name: 'Go on' })).toBeVisible();
  await expect(page.locator('.toast')).toContainText('Changed so far: 2 users, 1 not: Step 3 (The service was busy)');
  expect(calls).toBe(2);
  await bar.getByRole('button', { name: 'Go on' }).click();
  await expect(page.locator('.toast')).toContainText('Changed: 3 users, 1 not');
  await expect(bar).toHaveCount(0);
  expect(calls).toBe(3);
});

test('nobody found: the nearest that would find somebody, a corrected value first', async ({ page }) => {
  await open(page, 'q=lovelaceee&country=Pioneers');
  const notice = page.locator('.notice');
  await expect(notice).toContainText('Nobody has “lovelaceee” and Country Pioneers');
  await notice.getByRole('link', { name: '“lovelace”, country Pioneers, 1 user' }).click();
  await expectTotal(page, 1);

  await create({ name: 'Ana Nowakski', lastName: 'Nowakski', country: 'BR' });
  await create({ name: 'Jan Nowakski', lastName: 'Nowakski', country: 'PL' });
  await open(page, 'country=br&lastName.contains=nowakski');
  await expect(notice.getByRole('heading')).toHaveText('Nobody has Country br and Last name contains nowakski');
  await expect(notice.locator('li [dir]')).toHaveText([
    'Country Brazil (BR), last name contains nowakski',
    'Last name contains nowakski, any country',
    'Country Brazil, any last name',
  ]);
  await expect(notice.locator('a > b')).toHaveText(['1', '2', /^[1-9]\d*$/]);
  await expect(notice.locator('li b').first()).toHaveText('Brazil');
  await page.mouse.move(0, 0);
  await expectAccessible(page);
  await notice.getByRole('link', { name: 'Country Brazil (BR), last name contains nowakski, 1 user' }).click();
  await expect(page.locator('tbody a')).toHaveText(['Ana Nowakski']);
  // A country is like another one by its name.
  await open(page, 'country=Germny');
  await expect(notice.locator('li [dir]')).toHaveText(['Country Germany (DE)']);
  // One of two values of a field may be left out, too.
  await open(page, 'country=Pioneers&country=DE&q=lovelaceee');
  await expect(notice.getByRole('listitem').filter({ hasText: ', any ' })).toHaveCount(0);
});

test('a stage without users shows how it gets some, and nothing else', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const none = { content: [], totalElements: 0, totalPages: 0, number: 0, size: 20, first: true, last: true };
  await page.route('**/api/users?*', (route) => route.fulfill({ json: none }));
  await open(page);
  await expect(page.getByRole('heading', { name: 'No users yet' })).toBeVisible();
  await expect(page.locator('main').getByRole('button')).toHaveText(['New user', '', '']);
  const port = new URL(url()).port;
  for (const command of [
    `npm run seed -- --users 5000 --port ${port}`,
    `npm run import -- --url ${url()} --file users.csv`,
  ]) {
    await page.getByRole('button', { name: `Copy: ${command}` }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(command);
  }
  await expectAccessible(page);
});

test('the page says what to do when there is nothing to show, and why', async ({ page, context }) => {
  await open(page, 'country=Nowhere');
  await expect(page.getByText('Nobody has Country Nowhere')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page.locator('h2 output')).toHaveText(/10,0\d\d/);

  const trouble = page.getByRole('alert');
  const body = JSON.stringify({ status: 429, message: 'not now' });
  const headers = { 'content-type': 'application/json', 'retry-after': '2' };
  await page.route('**/api/users?*', (route) => route.fulfill({ status: 429, body, headers }));
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(trouble.getByRole('heading', { name: 'Too many requests' })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/users?*');
  // It tries again by itself.
  await expect(page.locator('table[aria-busy="false"]')).toBeVisible();

  await context.setOffline(true);
  await page.getByRole('button', { name: 'E-mail', exact: true }).click();
  await expect(trouble.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.locator('table[aria-busy="false"]')).toBeVisible();

  await open(page, 'createdAt.gte=yesterday');
  await expect(trouble).toContainText('createdAt.gte');
});

test('the documentation tries an operation on the running service, and asks no other host', async ({ page }) => {
  await page.goto(`${url()}/api/docs`);
  await expect(page.getByRole('heading', { name: /^User management/ })).toBeVisible();
  await expect(page.locator('.opblock')).toHaveCount(ROUTES.length);
  // The number of the version may differ: it takes some ten pixels.
  await expect(page).toHaveScreenshot('docs.png', { maxDiffPixels: 60 });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? 'dark-mode' : '');
  }

  const create = page.locator('#operations-Users-createUser');
  await create.getByRole('button').first().click();
  await create.getByRole('button', { name: 'Try it out' }).click();
  await create.locator('textarea').fill('{"name":"Ann Browser","lastName":"Browser"}');
  await create.getByRole('button', { name: 'Execute' }).click();
  await expect(create.locator('.live-responses-table tbody .response-col_status').first()).toContainText('201');
});
