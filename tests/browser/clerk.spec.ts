/** The tasks of a clerk at a service with 5,000 users, in counted steps: a click, a key, or a text that is typed. */
import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectTotal, seededService } from './seeded.ts';

test.use({ locale: 'en-GB', timezoneId: 'UTC' });

interface User {
  id: number;
  name: string;
  status?: string;
  attributes?: { tags?: string[] };
}

const { admin, call, create, totalOf } = seededService(5_000);

const list = async (query: string): Promise<{ content: User[]; totalElements: number }> =>
  (await call('GET', `/api/users?${query}`)).body as { content: User[]; totalElements: number };

async function open(page: Page, view = 'show=users'): Promise<void> {
  await page.goto(admin(view));
  await expect(page.locator('table[aria-busy="false"]')).toBeVisible();
}

const toast = (page: Page): Locator => page.locator('.toast');

/** A clerk, whose steps are counted. */
function clerk(page: Page) {
  let steps = 0;
  return {
    /** The steps so far. */
    steps: () => steps,
    async click(target: Locator, options: Parameters<Locator['click']>[0] = {}) {
      steps++;
      await target.click(options);
    },
    async press(key: string) {
      steps++;
      await page.keyboard.press(key);
    },
    /** A text, and Enter at its end, count as one. */
    async type(text: string, isEntered = false) {
      steps++;
      await page.keyboard.type(text);
      if (isEntered) await expect(page.locator('[aria-selected="true"][role="option"]')).toBeVisible();
      if (isEntered) await page.keyboard.press('Enter');
    },
  };
}

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Choose ${name}`, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const option = (page: Page, text: string | RegExp) => page.locator('[role="option"]').filter({ hasText: text });

test('the Brazilian with "ski" is found in three steps', async ({ page }) => {
  await create({ name: 'Ana Kowalski', lastName: 'Kowalski', country: 'BR' });
  await open(page);
  const { steps, press, type } = clerk(page);
  await page.getByRole('searchbox').focus();
  await type('ski');
  await expect(page).toHaveURL(/q=ski/);
  await page.locator('tbody a').first().focus();
  await press('f');
  await type('brazil', true);
  await expectTotal(page, await totalOf('q=ski&country=BR'));
  expect(steps()).toBe(3);
});

test('active Germans above 60 are one line', async ({ page }) => {
  await open(page);
  const { steps, press, type } = clerk(page);
  await press('f');
  await expect(page.getByLabel('Filter', { exact: true })).toBeFocused();
  // Known statuses and countries have come.
  await expect(option(page, /^Name …/)).toBeVisible();
  await page.waitForLoadState('networkidle');
  await type('active germans above 60', true);
  await expectTotal(page, await totalOf('status=active&country=DE&age.gt=60'));
  expect(steps()).toBe(2);
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Filter', { exact: true })).toBeHidden();
  await press('f');
  await expect(page.getByLabel('Filter', { exact: true })).toBeFocused();
  await type('@example.org', true);
  await expectTotal(page, await totalOf('status=active&country=DE&age.gt=60&email.endsWith=@example.org'));
});

test('three are suspended and back in five clicks, one in one; a range is chosen by Shift, also by keys', async ({
  page,
}) => {
  const names = ['Drei', 'Zwei', 'Eins'];
  for (const name of names.toReversed()) await create({ name, country: 'Five', status: 'active' });
  const states = async () => (await list('country=Five')).content.map(({ status }) => status);
  await open(page, 'country=Five');
  const { steps, click } = clerk(page);
  const before = await page.locator('tbody tr').first().boundingBox();
  await click(box(page, 'Drei'));
  await click(box(page, 'Eins'), { modifiers: ['Shift'] });
  await expect(page.getByRole('region', { name: 'Chosen users' })).toContainText('3 chosen');
  // The bar covers the views: no row moves.
  expect(await page.locator('tbody tr').first().boundingBox()).toEqual(before);
  await click(button(page, 'Set status'));
  await click(option(page, /^suspended/));
  await expect(toast(page)).toContainText('Changed: 3 users');
  expect(await states()).toEqual(['suspended', 'suspended', 'suspended']);
  await click(toast(page).getByRole('button', { name: 'Undo' }));
  await expect(toast(page)).toContainText('As before: 3 users');
  expect(await states()).toEqual(['active', 'active', 'active']);
  expect(steps()).toBe(5);

  await page.locator('tbody tr').nth(1).hover();
  await page.locator('tbody tr').nth(1).getByRole('button', { name: 'Suspend' }).click();
  await expect(toast(page)).toContainText('Zwei was saved');
  expect(await states()).toEqual(['active', 'suspended', 'active']);

  // The keys of the list.
  await expect(page.getByRole('region', { name: 'Chosen users' })).toHaveCount(0);
  await page.locator('tbody a').first().focus();
  await page.keyboard.press('x');
  await expect(box(page, 'Drei')).toBeChecked();
  await box(page, 'Eins').focus();
  await page.keyboard.press('Shift+Space');
  await expect(page.getByRole('region', { name: 'Chosen users' })).toContainText('3 chosen');
});

test('forty are tagged but for two in eight steps', async ({ page }) => {
  await create({ name: 'Tagged', attributes: { tags: ['vip'] } });
  for (let i = 0; i < 42; i++) await create({ name: `Forty ${i}`, country: 'Forty' });
  await open(page, 'country=Forty&size=50&sort=id');
  const { steps, click, type } = clerk(page);
  await click(box(page, 'Forty 0'));
  await click(box(page, 'Forty 39'), { modifiers: ['Shift'] });
  for (const name of ['Forty 7', 'Forty 11']) await click(box(page, name));
  await click(button(page, 'Add tag'));
  await expect(option(page, 'vip')).toBeVisible();
  await type('vip', true);
  const change = page.getByRole('dialog').getByRole('button', { name: 'Change 38 users' });
  await click(change);
  await expect(toast(page)).toContainText('Changed: 38 users');
  expect(await totalOf('country=Forty&attributes.tags=vip')).toBe(38);
  expect(steps()).toBe(7);
});

test('who changed somebody is seen in three steps', async ({ page }) => {
  const { id } = await create({ name: 'Changed Zyxwv', age: 1 });
  await call('PATCH', `/api/users/${id}`, { json: { age: 2 } });
  await open(page);
  const { steps, click, press, type } = clerk(page);
  await page.getByRole('searchbox').focus();
  await type('zyxwv');
  await expectTotal(page, 1);
  await page.keyboard.press('Enter');
  await press('Enter');
  await click(page.getByRole('tab', { name: 'History 2' }));
  await expect(page.locator('.timeline li').first()).toHaveText(/changed.*Age.*1.*2/);
  expect(steps()).toBe(3);
  // How they were is seen in one more.
  await click(page.getByRole('link', { name: 'As it was' }).last());
  await expect(page.getByRole('textbox', { name: 'Age', exact: true })).toHaveValue('1');
  await expect(page.getByRole('textbox', { name: 'Age', exact: true })).toBeVisible();
});

test('a domain is deleted and back with five clicks and the words', async ({ page }) => {
  for (let i = 0; i < 22; i++) await create({ name: `Domain ${i}`, email: `d${i}@gone.example` });
  await open(page);
  const { steps, click } = clerk(page);
  await page.keyboard.press('f');
  await page.keyboard.type('@gone.example');
  await page.keyboard.press('Enter');
  await expectTotal(page, 22);
  await page.keyboard.press('Escape');
  await click(page.getByRole('checkbox', { name: 'Choose all of this page' }));
  await click(button(page, 'Choose all 22'));
  await click(button(page, 'Delete …'));
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused();
  await page.keyboard.type('delete 22');
  await click(page.getByRole('dialog').getByRole('button', { name: 'Delete 22 users' }));
  await expect(toast(page)).toContainText('Deleted: 22 users');
  expect(await totalOf('email.endsWith=@gone.example')).toBe(0);
  await click(toast(page).getByRole('button', { name: 'Undo' }));
  await expect(toast(page)).toContainText('As before: 22 users');
  expect(await totalOf('email.endsWith=@gone.example')).toBe(22);
  expect(steps()).toBe(5);
});

test('a deleted user is back in two clicks, and says who deleted her', async ({ page }) => {
  const { id } = await create({ name: 'Gone Away', country: 'FR', email: 'gone.away@example.com' });
  await call('DELETE', `/api/users/${id}`);
  await open(page);
  await page.goto(admin(`user=${id}`));
  const card = page.getByRole('dialog');
  await expect(card.getByRole('heading', { name: 'Gone Away' })).toBeVisible();
  await expect(card).toContainText(/Deleted just now/);
  await expect(card.locator('.values')).toHaveText(/gone.away@example.com.*France/);
  await card.getByRole('button', { name: 'Bring back' }).click();
  await expect(toast(page)).toContainText('Gone Away is back');
  await expect.poll(async () => (await call('GET', `/api/users/${id}`)).status).toBe(200);
  // The card has the user again.
  await expect(card.getByLabel('E-mail')).toHaveValue('gone.away@example.com');
});

test('the next user is one key away, over pages, and unsaved text asks; the list goes on working', async ({ page }) => {
  await open(page, 'country=BR&sort=name');
  const { content } = await list('country=BR&sort=name&size=22');
  const card = page.getByRole('dialog');
  const heading = (at: number) => card.getByRole('heading', { name: content[at]?.name ?? '', exact: true });
  await page.locator('tbody a').nth(18).click();
  await expect(heading(18)).toBeFocused();
  await expect(card).toContainText(`19 of ${await totalOf('country=BR')}`);
  await page.keyboard.press('j');
  await expect(heading(19)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(heading(20)).toBeFocused();
  await expect(page).toHaveURL(/page=1/);
  await page.keyboard.press('k');
  await expect(heading(19)).toBeFocused();
  // Beside it the list works: another order, and a row that is clicked.
  await button(page, 'E-mail').click();
  await expect(page.getByRole('columnheader', { name: 'E-mail' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(card).toBeVisible();
  await page.locator('tbody a').first().click();
  await card.getByLabel('Age').fill('33');
  await expect(card.locator('[data-changed]')).toHaveCount(1);
  await expect(card).toContainText('1 field changed');
  await page.locator('.table').focus();
  const name = await card.getByRole('heading').first().textContent();
  page.once('dialog', (question) => question.dismiss());
  await page.keyboard.press('j');
  await expect(card.getByRole('heading').first()).toHaveText(name ?? '');
  page.once('dialog', (question) => question.accept());
  await page.keyboard.press('Escape');
  await expect(card).toHaveCount(0);
  await expect(page.locator('tbody a').first()).toBeFocused();
});

test('an export is one click, shows how far it is, can be ended, and says what was saved', async ({ page }) => {
  await open(page, 'status=suspended');
  const total = await totalOf('status=suspended');
  const downloading = page.waitForEvent('download');
  await button(page, 'Export').click();
  const text = readFileSync(await (await downloading).path(), 'utf8');
  expect(text.trim().split('\r\n')).toHaveLength(total + 1);
  const size = Math.ceil(Buffer.byteLength(text) / 1_000);
  await expect(toast(page)).toHaveText(new RegExp(`^users.csv saved: ${total} users, ${size} KB`));
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/users/all?*', async (route) => {
    await promise;
    await route.continue().catch(() => undefined);
  });
  await button(page, 'Export').click();
  await button(page, 'Cancel the export').click();
  await expect(button(page, 'Export')).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  resolve();
});

test('others who write are seen in half a minute, and nothing moves until it is clicked', async ({ page }) => {
  await page.clock.install();
  await create({ name: 'Newer 0', country: 'Newer' });
  await open(page, 'country=Newer');
  await expect(page.locator('tbody tr')).toHaveCount(1);
  const asks: string[] = [];
  page.on('request', (request) => request.method() === 'HEAD' && asks.push(request.headers()['if-none-match'] ?? ''));
  await page.clock.runFor(30_000);
  await expect.poll(() => asks.length).toBe(1);
  expect(asks[0]).toMatch(/^W\/"/);
  await expect(button(page, 'Read again')).toBeVisible();
  for (const name of ['Newer 1', 'Newer 2']) await create({ name, country: 'Newer' });
  await page.clock.runFor(30_000);
  const newer = button(page, '2 new: show them');
  await expect(newer).toHaveText(/2 new/);
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await newer.click();
  await expect(page.locator('tbody tr')).toHaveCount(3);
  await call('PATCH', `/api/users/${(await list('country=Newer')).content[0]?.id}`, { json: { age: 4 } });
  await page.clock.runFor(30_000);
  await expect(button(page, 'Something has changed: read again')).toBeVisible();
});

test('a number and a title are those of the rows that are shown, and a search on its way says so', async ({ page }) => {
  await open(page, 'status=suspended');
  const total = await totalOf('status=suspended');
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/api\/users\?.*status=pending/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.evaluate("location.hash = '#status=pending'");
  await expect(page.locator('.searching')).toHaveText('Searching Status pending …');
  await expectTotal(page, total);
  await expect(page).toHaveTitle(new RegExp(`^${total} users: Status suspended`));
  resolve();
  await expectTotal(page, await totalOf('status=pending'));
  await expect(page).toHaveTitle(/users: Status pending/);
  await expect(page.locator('.searching')).toHaveCount(0);
});

test('views are kept in this browser by their names, with their numbers', async ({ page }) => {
  await open(page, 'status=suspended&sort=name');
  await button(page, 'Save this view').click();
  await expect(page.getByLabel('Name of the view')).toHaveValue('Status suspended');
  await page.getByLabel('Name of the view').fill('Waiting <b>');
  await page.keyboard.press('Enter');
  const views = page.getByRole('navigation', { name: 'Views' });
  const total = await totalOf('status=suspended');
  await expect(views.getByRole('link')).toHaveText(['All', `Waiting <b> ${total}`]);
  await open(page, 'show=users');
  await page.reload();
  await views.getByRole('link', { name: 'Waiting' }).click();
  await expectTotal(page, total);
  await expect(page).toHaveURL(/status=suspended&sort=name$/);
  await expect(views.getByRole('link', { name: 'Waiting' })).toHaveAttribute('aria-current', 'page');
  await button(page, 'Forget this view').click();
  await expect(views.getByRole('link')).toHaveText(['All']);
});

test('a view that is kept in one tab leaves those of another tab as they are', async ({ page, context }) => {
  const tabs = [page, await context.newPage()];
  for (const [index, tab] of tabs.entries()) {
    await open(tab, `age.gt=${20 + index}`);
    await expect(button(tab, 'Save this view')).toBeVisible();
  }
  for (const tab of tabs) {
    await button(tab, 'Save this view').click();
    await tab.getByLabel('Name of the view').press('Enter');
  }
  await page.reload();
  const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
  await expect(views).toHaveText([/^All/, /^Age above 20/, /^Age above 21/]);
});

test('views that cannot be read are none, and others can be kept in their place', async ({ page }) => {
  await open(page);
  for (const text of ['[{"name":', '{}', 'null', '[{"name":5}]']) {
    await page.evaluate(`localStorage.setItem('views of /api', ${JSON.stringify(text)})`);
    await page.reload();
    await expect(page.getByRole('navigation', { name: 'Views' }).getByRole('link')).toHaveText(['All']);
  }
  await open(page, 'status=suspended');
  await button(page, 'Save this view').click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Views' }).getByRole('link')).toHaveCount(2);
});

test('all views are in sight; on a phone their line can be moved', async ({ page }) => {
  const addresses = [21, 22, 23, 24, 25, 26, 27].map((age) => `#age.gt=${age}`);
  const stored = JSON.stringify(addresses.map((address) => ({ name: `All ${address} of them`, address })));
  await open(page);
  await page.evaluate(`localStorage.setItem('views of /api', ${JSON.stringify(stored)})`);
  await page.reload();
  const views = page.getByRole('navigation', { name: 'Views' });
  await expect(views.locator('li small')).toHaveCount(7);
  for (const link of await views.getByRole('link').all()) await expect(link).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(views).toHaveCSS('height', '40px');
  await views.getByRole('link').last().focus();
  await expect(views.getByRole('link').last()).toBeInViewport();
});

test('on a phone the list is exported, its columns chosen and its view kept in one menu', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'status=suspended');
  const heading = page.locator('.heading');
  await expect(heading.getByRole('button')).toHaveText(['', '', 'Filter', '', ''], { useInnerText: true });
  const more = button(page, 'More of the list');
  const downloading = page.waitForEvent('download');
  await more.click();
  await page.getByRole('checkbox', { name: 'Age', exact: true }).check();
  await button(page, 'Export').click();
  const text = readFileSync(await (await downloading).path(), 'utf8');
  expect(text).toMatch(/^\uFEFFid,name,email,status,country,createdAt,age\r\n/);
  await more.click();
  await button(page, 'Save this view').click();
  await page.getByLabel('Name of the view').fill('On a phone');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Views' }).getByRole('link')).toHaveText([
    'All',
    `On a phone ${await totalOf('status=suspended')}`,
  ]);
});

test('addresses that are pasted are a list, and what is copied from a mail or a table finds its user', async ({
  page,
}) => {
  const many = Array.from({ length: 24 }, (_, i) => `pasted-${i}@conference.example`);
  await create({ name: 'Ann Pasted', email: many[0] });
  await create({ name: 'Bo Pasted', email: many[23] });
  await open(page, 'q=pasted');
  const search = page.getByRole('searchbox');
  await search.fill(many.map((email) => `"Guest" <${email}>`).join(';\n'));
  await expectTotal(page, 2);
  await expect(page.getByRole('list', { name: 'Filters in use' })).toHaveText('E-mail one of 24');
  await expect(search).toHaveValue('');
  await button(page, 'Remove E-mail one of 24').click();
  for (const copied of [`Ann Pasted <${many[0]}>`, `mailto:${many[0]},`, '"Pasted, Ann";']) {
    await search.fill(copied);
    await expectTotal(page, 1);
    await expect(page.locator('tbody a')).toHaveText(['Ann Pasted']);
    await search.fill('nobody has this');
    await expectTotal(page, 0);
  }
});

test('a page is had by its number as the page writes it, and begins at its top', async ({ page }) => {
  const table = page.getByRole('region', { name: 'Users' });
  const number = page.getByRole('textbox', { name: 'Page', exact: true });
  const where = page.locator('.pager span').first();
  await open(page);
  const enter = async (text: string) => {
    await number.selectText();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  // As in "1,234": the sign depends on the language.
  await enter('1,2');
  await expect(where).toContainText('221–240');
  await expect(number).toHaveValue('12');
  await enter('the last');
  await expect(number).toHaveValue('12');
  await table.evaluate((each) => each.scrollBy(0, 200));
  expect(await table.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  await button(page, 'Next page').click();
  await expect(number).toHaveValue('13');
  await expect.poll(() => table.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
});

test('an attribute that nobody shown has can be asked for, and given', async ({ page }) => {
  await create({ name: 'Of A Tag', attributes: { tags: ['vip'] } });
  await create({ name: 'Of A Team', country: 'Teams', attributes: { team: 'red', seats: 3 } });
  await open(page, 'country=Teams');
  await expectTotal(page, 1);
  await open(page, 'status=suspended');
  await expect(page.locator('tbody tr')).toHaveCount(20);
  for (const [typed, asked] of [
    ['without tags', 'attributes.tags.missing=true'],
    ['without team', 'attributes.team.missing=true'],
  ]) {
    await page.keyboard.press('f');
    await page.keyboard.type(`${typed}`);
    await expect(option(page, `W${typed?.slice(1)}`)).toBeVisible();
    await page.keyboard.press('Enter');
    await expectTotal(page, await totalOf(`status=suspended&${asked}`));
    await page.keyboard.press('Escape');
    await button(page, 'Clear').click();
    await open(page, 'status=suspended');
  }
  await page.locator('tbody').getByRole('checkbox').first().check();
  await button(page, 'Add tag').click();
  await page.keyboard.type('never seen');
  await option(page, 'as it is').click();
  const panel = page.getByRole('dialog');
  await expect(panel.getByRole('combobox').first()).toHaveValue('attributes.tags');
  // A value is of the kind that others have.
  await panel.getByRole('combobox').first().selectOption('seats');
  await expect(panel.getByRole('combobox').nth(1)).toHaveValue('number');
  await page.keyboard.press('Escape');
  await button(page, 'New user').click();
  for (const [name, kind] of [
    ['seats', 'number'],
    ['tags', 'list'],
    ['tagsOld', 'text'],
  ]) {
    await button(page, 'Attribute').click();
    await page.keyboard.type(`${name}`);
    await expect(panel.getByLabel('Kind').last()).toHaveValue(`${kind}`);
  }
});

test('the middle button, and Ctrl, open a row in a tab, from anywhere in it', async ({ page, context }) => {
  const { id } = await create({ name: 'In A Tab', country: 'Tabs' });
  await open(page, 'country=Tabs');
  const cell = page.getByRole('cell', { name: 'Tabs' });
  for (const click of [() => cell.click({ button: 'middle' }), () => cell.click({ modifiers: ['ControlOrMeta'] })]) {
    const opened = context.waitForEvent('page');
    await click();
    const tab = await opened;
    await expect(tab.getByRole('dialog', { name: 'In A Tab' })).toBeVisible();
    expect(new URL(tab.url()).hash).toBe(`#country=Tabs&user=${id}`);
    await tab.close();
  }
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('all rows of the page are on paper', async ({ page }) => {
  await open(page, 'show=users&size=100');
  await expect(page.locator('tbody tr')).toHaveCount(100);
  await page.emulateMedia({ media: 'print' });
  await expect(button(page, 'New user')).toBeHidden();
  const [title, name] = [page.locator('h2').first(), page.locator('tbody a').first()];
  expect((await name.boundingBox())?.x).toBe((await title.boundingBox())?.x);
  const last = await page.locator('tbody tr').last().boundingBox();
  const end = (last?.y ?? Number.NaN) + (last?.height ?? 0);
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeGreaterThan(end);
});

test('the list has one left edge in any window, no moment is cut, and a phone shows Delete with those who are chosen', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const ten = [
    ...['name', 'email', 'status', 'country', 'age', 'id'],
    ...['firstName', 'lastName', 'createdAt', 'updatedAt'],
  ];
  await open(page, ten.map((column) => `column=${column}`).join('&'));
  const moments = page.locator('td:is(.of-createdAt, .of-updatedAt) span');
  await expect(moments.first()).toHaveText(/ [AP]M$/);
  const cut = await moments.evaluateAll(
    (all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
  );
  expect(cut).toBe(0);

  const left = async () => (await page.locator('td.of-name a').first().boundingBox())?.x;
  for (const [width, edge] of [
    [1280, 56],
    [1920, 56],
    [390, 40],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await open(page);
    await expect.poll(left, `the names at ${width}`).toBe(edge);
  }
  await page
    .getByRole('checkbox', { name: /^Choose / })
    .first()
    .check();
  for (const name of ['Delete …', 'Choose nobody']) await expect(button(page, name)).toBeInViewport({ ratio: 1 });
  await button(page, 'Export').last().focus();
  for (const name of ['Delete …', 'Export']) await expect(button(page, name).last()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.locator('td.of-name a').first().click();
  await expect.poll(left, 'the names beside a card').toBe(56);
  await context.close();
});

test('all of it has no findings of axe, light and dark, and on a phone', async ({ page }) => {
  const { id } = await create({
    name: 'محمد عبد الرحمن بن عبد الله آل سعود الهاشمي الطويل',
    email: 'a-very-very-long-local-part-of-an-address-that-goes-on@subsidiary.of.a.long.example',
    status: 'waiting for the signature of somebody',
    attributes: { tags: ['vip', 'beta'], level: 3, isManager: true, contractEnd: '2027-01-31' },
  });
  await create({ name: 'Z̸̡̛a̷l̶g̴o̵ ä̈̈̈' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const view of ['show=users', `show=users&user=${id}`, 'show=users&user=new']) {
        await open(page, view);
        if (view.includes('user=')) await expect(page.getByRole('dialog').locator('form')).toBeVisible();
        await page.mouse.move(0, 0);
        const { violations } = await new AxeBuilder({ page }).disableRules('skip-link').analyze();
        expect(
          violations.map((each) => [colorScheme, width, view, each.id, each.nodes.map(({ html }) => html)]),
        ).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await page.evaluate("document.querySelector('dialog')?.scrollWidth ?? 0")).toBeLessThanOrEqual(width);
      }
    }
  }
});
