/** The tasks of a clerk with a mouse, and what they meet meanwhile. keyboard.spec.ts does the others by keys alone. */
import { readFileSync } from 'node:fs';
import { type Dialog, expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible, expectTotal, seededService } from './seeded.ts';

test.use({ locale: 'en-GB', timezoneId: 'UTC' });

interface User {
  id: number;
  status?: string;
}

const { admin, call, create, totalOf } = seededService(2_000);

const list = async (query: string): Promise<{ content: User[] }> =>
  (await call('GET', `/api/users?${query}`)).body as { content: User[] };

async function open(page: Page, view = 'show=users'): Promise<void> {
  await page.goto(admin(view));
  await expect(page.locator('table[aria-busy="false"]')).toBeVisible();
}

const toast = (page: Page): Locator => page.locator('.toast');

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Choose ${name}`, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const option = (page: Page, text: string | RegExp) => page.locator('[role="option"]').filter({ hasText: text });

test('three are suspended and back, but one who has changed since; a range is chosen by Shift, also by keys', async ({
  page,
}) => {
  const names = ['Drei', 'Zwei', 'Eins'];
  const ids: number[] = [];
  for (const name of names.toReversed()) ids.push((await create({ name, country: 'Five', status: 'active' })).id);
  const states = async () => (await list('country=Five')).content.map(({ status }) => status);
  await open(page, 'country=Five');
  const before = await page.locator('tbody tr').first().boundingBox();
  await box(page, 'Drei').click();
  await box(page, 'Eins').click({ modifiers: ['Shift'] });
  await expect(page.getByRole('region', { name: 'Chosen users' })).toContainText('3 chosen');
  // The bar covers the views: no row moves.
  expect(await page.locator('tbody tr').first().boundingBox()).toEqual(before);
  await button(page, 'Set status').click();
  await expect(page.getByLabel('A status …')).toBeFocused();
  // Nobody has typed or gone to anything: Enter does nothing.
  await expect(option(page, /^suspended/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await option(page, /^suspended/).click();
  await expect(toast(page)).toContainText('Changed: 3 users');
  expect(await states()).toEqual(['suspended', 'suspended', 'suspended']);
  await call('PATCH', `/api/users/${ids[0]}`, { json: { age: 5 } });
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText('As before: 2 users, 1 not: Eins (The user has changed since the edit)');
  expect(await states()).toEqual(['suspended', 'active', 'active']);

  await page.locator('tbody tr').nth(1).hover();
  await page.locator('tbody tr').nth(1).getByRole('button', { name: 'Suspend' }).click();
  await expect(toast(page)).toContainText('Zwei was saved');
  expect(await states()).toEqual(['suspended', 'suspended', 'active']);

  // The keys of the list.
  await expect(page.getByRole('region', { name: 'Chosen users' })).toHaveCount(0);
  await page.locator('tbody a').first().focus();
  await page.keyboard.press('x');
  await expect(box(page, 'Drei')).toBeChecked();
  await box(page, 'Eins').focus();
  await page.keyboard.press('Shift+Space');
  await expect(page.getByRole('region', { name: 'Chosen users' })).toContainText('3 chosen');

  await open(page, `country=Five&user=${ids[1]}`);
  const card = page.getByRole('dialog');
  await card.getByRole('tab', { name: 'History' }).click();
  await expect(card.getByText('undone')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Undo for all' })).toHaveCount(0);
  await expectAccessible(page);
});

test('beside a card the list goes on working, and unsaved text asks each time', async ({ page }) => {
  await open(page, 'country=BR&sort=name');
  const card = page.getByRole('dialog');
  await page.locator('tbody a').nth(1).click();
  await expect(card.getByRole('heading').first()).toBeFocused();
  // Another order, and a row that is clicked.
  await button(page, 'E-mail').click();
  await expect(page.getByRole('columnheader', { name: 'E-mail' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(card).toBeVisible();
  await page.locator('tbody a').first().click();
  await card.getByLabel('Age').fill('33');
  await expect(card.locator('[data-changed]')).toHaveCount(1);
  await expect(card).toContainText('1 field changed');
  // Every Escape asks once, also several in turn.
  let questions = 0;
  const count = (question: Dialog) => {
    questions++;
    return question.dismiss();
  };
  page.on('dialog', count);
  for (const times of [1, 2, 3, 4]) {
    await page.keyboard.press('Escape');
    await expect.poll(() => questions).toBe(times);
  }
  page.off('dialog', count);
  await expect(card.getByLabel('Age')).toHaveValue('33');
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
  await expect(heading.getByRole('button')).toHaveText(['', 'Filter', '', '', ''], { useInnerText: true });
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
        await expectAccessible(page, `${colorScheme}, ${width} px, ${view}`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await page.evaluate("document.querySelector('dialog')?.scrollWidth ?? 0")).toBeLessThanOrEqual(width);
      }
    }
  }
});
