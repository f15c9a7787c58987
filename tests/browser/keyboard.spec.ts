/** The tasks of a clerk by the keyboard alone: nothing here clicks, fills, checks or gives the focus. */
import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectTotal, seededService } from './seeded.ts';

test.use({ locale: 'en-GB', timezoneId: 'UTC' });

const { admin, call, create, totalOf } = seededService(2_000);

// The feed has it some seconds later.
test.beforeAll(async () => {
  const { id } = await create({ name: 'Changed Keyqwert', age: 1 });
  await call('PATCH', `/api/users/${id}`, { json: { age: 2 } });
  const { id: gone } = await create({ name: 'Gone Keyqwert', country: 'KeyBack' });
  await call('DELETE', `/api/users/${gone}`);
});

/** The most steps to an element: with more, nobody finds it. */
const MOST_STEPS = 60;

/**
 * Says why nobody could see where the focus is. Empty: it has a ring, is in the window, and nothing covers it. A title that has it at
 * first is no stop, and the browser draws the ring of a part of a date.
 */
const HIDDEN = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'nothing has the focus';
  const name = element.outerHTML.slice(0, 200);
  const label = element.closest('label');
  const { left, top, right, bottom, width, height } = (element.matches('[type="radio"]') ? label : element).getBoundingClientRect();
  if (width * height === 0) return 'it has no size: ' + name;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight || (height < innerHeight && (top < -1 || bottom > innerHeight + 1)))
    return 'it is not in the window: ' + name;
  const above = document.elementFromPoint(x, y);
  if (above !== element && !element.contains(above) && !label?.contains(above))
    return 'it is covered by ' + above?.outerHTML.slice(0, 100) + ': ' + name;
  const around = [element, label, element.closest('.box')].filter(Boolean).map((each) => getComputedStyle(each));
  const room = element.querySelector(':scope > .room');
  const hasRing = around.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px') ||
    (element.matches('input, select') && around.some(({ boxShadow }) => boxShadow !== 'none')) ||
    (room !== null && getComputedStyle(room).stroke !== 'none') || element.matches('h2[tabindex="-1"], [type="date"]');
  return hasRing ? '' : 'it has no ring: ' + name;
})()`;

const expectInSight = (page: Page): Promise<void> => expect.poll(() => page.evaluate<string>(HIDDEN)).toBe('');

type Role = Parameters<Page['getByRole']>[0];

/** The lines that a box offers. */
const offered = (page: Page): Locator => page.locator('.options [role="option"]');

/** Somebody with a keyboard alone. */
function keyboard(page: Page) {
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const has = async (target: Locator): Promise<boolean> => (await target.and(page.locator(':focus')).count()) > 0;
  return {
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Enter takes what is offered first, once it is what was meant. */
    async take(text: string, meant: string | RegExp): Promise<void> {
      await expect(page.locator('[role="combobox"]:focus')).toHaveCount(1);
      await page.keyboard.type(text);
      await expect(offered(page).and(page.locator('[aria-selected="true"]'))).toHaveText(meant);
      await press('Enter');
    },
    /** Goes on, or back, until something has the focus, and sees it. */
    async to(role: Role, name: string | RegExp, by: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
      const target = page.getByRole(role, { name, exact: typeof name === 'string' });
      await expect(target.first()).toBeEnabled();
      for (let steps = 0; !(await has(target)); steps++) {
        expect(steps, `steps to the ${role} ${name}`).toBeLessThan(MOST_STEPS);
        await press(by);
      }
      await expectInSight(page);
    },
  };
}

async function open(page: Page, view = 'show=users') {
  await page.goto('about:blank');
  await page.goto(admin(view));
  await expect(page.locator('table[aria-busy="false"], .attention li, .happened .lines').first()).toBeVisible();
  return keyboard(page);
}

/** The toast: the last action, in words. */
const expectTold = (page: Page, text: string | RegExp): Promise<void> =>
  expect(page.locator('.toast')).toContainText(text);

const rows = (page: Page): Locator => page.locator('tbody tr');

const expectInRow = async (page: Page, name: string): Promise<void> => {
  await expect(rows(page).filter({ has: page.locator(':focus') })).toContainText(name);
  await expectInSight(page);
};

const expectOn = async (page: Page, role: Role, name: string | RegExp): Promise<void> => {
  await expect(page.getByRole(role, { name, exact: typeof name === 'string' }).and(page.locator(':focus'))).toHaveCount(
    1,
  );
  await expectInSight(page);
};

/** Calls that change many. */
function writes(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const isEdit = request.method() === 'POST' && request.url().includes('/users/edits');
    if (isEdit && request.postDataJSON()?.dryRun !== true) sent.push(request.url());
  });
  return sent;
}

/** Until the changes of all users have what was done to somebody. */
const expectKept = (name: string): Promise<void> =>
  expect
    .poll(
      async () => {
        const { body } = await call('GET', '/api/users/changes?before=now&size=1000');
        return (body as { changes: { user?: { name: string } }[] }).changes.some(({ user }) => user?.name === name);
      },
      { timeout: 90_000 },
    )
    .toBe(true);

const statesOf = async (country: string): Promise<unknown[]> =>
  ((await call('GET', `/api/users?country=${country}`)).body as { content: { status?: string }[] }).content.map(
    ({ status }) => status,
  );

test('the Brazilian with "ski" is found, also by who does not wait for the list', async ({ page }) => {
  await create({ name: 'Ana Kowalski', lastName: 'Kowalski', country: 'BR' });
  const { press, type, take } = await open(page);
  await press('/');
  await expectInSight(page);
  await type('ski');
  await press('Enter', 'Enter');
  await expect(page).toHaveURL(/q=ski/);
  await expectTotal(page, await totalOf('q=ski'));
  await expectInSight(page);
  await press('f');
  await take('brazil', /^Country Brazil/);
  await expectTotal(page, await totalOf('q=ski&country=BR'));
  await press('Escape');
  await expectInSight(page);
  await press('j', 'Enter');
  await expect(page.getByRole('dialog').getByRole('heading').first()).toBeFocused();
});

test('active Germans above 60 are one line, and a filter is taken away', async ({ page }) => {
  const { press, take, to } = await open(page);
  const filter = page.getByLabel('Filter', { exact: true });
  await press('f');
  await expect(filter).toBeFocused();
  // Known statuses and countries have come.
  await expect(offered(page).filter({ hasText: /^Name …/ })).toBeVisible();
  await take('active germans above 60', 'Status active, Country Germany, Age above 60');
  await expectTotal(page, await totalOf('status=active&country=DE&age.gt=60'));
  await press('Escape');
  await expect(filter).toBeHidden();
  await expectOn(page, 'button', '+ Filter');
  await press('f');
  await expect(filter).toBeFocused();
  await take('@example.org', /@example.org/);
  await expectTotal(page, await totalOf('status=active&country=DE&age.gt=60&email.endsWith=@example.org'));
  await press('Escape');
  await to('button', /^Remove E-mail/, 'Shift+Tab');
  await press('Enter');
  await to('button', 'Remove Country Germany', 'Shift+Tab');
  await press('Enter');
  await expectTotal(page, await totalOf('status=active&age.gt=60'));
  await expectOn(page, 'button', 'Remove Age above 60');
  await press('Enter');
  await expectTotal(page, await totalOf('status=active'));
  await expectInSight(page);
});

test('three are suspended and back, and one alone', async ({ page }) => {
  for (const name of ['Eins', 'Zwei', 'Drei']) await create({ name, country: 'KeyThree', status: 'active' });
  const { press, take, to } = await open(page, 'country=KeyThree');
  await press('j', 'x', 'j', 'x', 'j', 'x');
  await expectInRow(page, 'Eins');
  await expect(page.getByRole('region', { name: 'Chosen users' })).toContainText('3 chosen');
  await to('button', 'Set status', 'Shift+Tab');
  await press('Enter');
  await take('suspended', /^suspended[\d,]+$/);
  await expectTold(page, 'Changed: 3 users');
  await expectInSight(page);
  expect(await statesOf('KeyThree')).toEqual(['suspended', 'suspended', 'suspended']);
  await to('button', 'Undo', 'Shift+Tab');
  await press('Enter');
  await expectTold(page, 'As before: 3 users');
  await expectInSight(page);
  expect(await statesOf('KeyThree')).toEqual(['active', 'active', 'active']);
  await press('k');
  await expectInRow(page, 'Zwei');
  await to('button', 'Suspend');
  await press('Enter');
  await expectTold(page, 'Zwei was saved');
  await expectInRow(page, 'Zwei');
  expect(await statesOf('KeyThree')).toEqual(['active', 'suspended', 'active']);
});

test('forty are tagged but for two', async ({ page }) => {
  await create({ name: 'Tagged', attributes: { tags: ['keyed'] } });
  for (let i = 0; i < 42; i++) await create({ name: `Forty ${i}`, country: 'KeyForty' });
  const { press, take, to } = await open(page, 'country=KeyForty&size=50&sort=id');
  const sent = writes(page);
  await press('j', 'x', ...Array(39).fill('j'));
  await to('checkbox', 'Choose Forty 39', 'Shift+Tab');
  await press('Shift+Space');
  await expect(page.getByRole('region', { name: 'Chosen users' })).toContainText('40 chosen');
  await press(...Array(28).fill('k'), 'x', 'k', 'k', 'k', 'k', 'x');
  await expectInRow(page, 'Forty 7');
  await expect(page.getByRole('region', { name: 'Chosen users' })).toContainText('38 chosen');
  await to('button', 'Add tag', 'Shift+Tab');
  await press('Enter');
  await take('keyed', /^keyed\d+$/);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectInSight(page);
  expect(sent).toEqual([]);
  await to('button', 'Change 38 users');
  await press('Enter');
  await expectTold(page, 'Changed: 38 users');
  await expectInSight(page);
  expect(await totalOf('country=KeyForty&attributes.tags=keyed')).toBe(38);
});

test('who joined in a week, has no e-mail, or shares one, is found on the overview', async ({ page }) => {
  for (const name of ['Castor', 'Pollux']) await create({ name, email: 'twins@shared.example' });
  const { press, to } = await open(page, 'show=overview');
  await to('radio', 'Day');
  await press('ArrowRight');
  await expectOn(page, 'radio', 'Week');
  const columns = page.locator('.chart a');
  await expect(columns).toHaveCount(26);
  const name = (await columns.nth(24).getAttribute('aria-label')) ?? '';
  await to('link', name);
  await expect(page.locator('.tip')).toHaveText(name.replace(/, ([\d,]+) users?$/, ' · $1'));
  await press('Enter');
  await expectTotal(page, Number(/, ([\d,]+) users?$/.exec(name)?.[1]?.replace(',', '')));
  for (const [line, query] of [
    [/^Without e-mail, /, 'email.missing=true'],
    [/^E-mails of more than one user, /, ''],
  ] as const) {
    const keys = await open(page, 'show=overview');
    await keys.to('link', line, 'Shift+Tab');
    await keys.press('Enter');
    await expect(page.locator('table[aria-busy="false"]')).toBeVisible();
    if (query === '') await expect(page).toHaveURL(/email=/);
    else await expectTotal(page, await totalOf(query));
    await keys.press('j');
    await expectInSight(page);
  }
  // The same in the list.
  const { take } = await open(page);
  await press('f');
  await take('without e-mail', 'Without E-mail');
  await expectTotal(page, await totalOf('email.missing=true'));
});

test('a domain is deleted with the words that are typed, and comes back', async ({ page }) => {
  for (let i = 0; i < 22; i++) await create({ name: `Domain ${i}`, email: `d${i}@keys.example` });
  const { press, type, take, to } = await open(page);
  const sent = writes(page);
  await press('f');
  await take('@keys.example', /@keys.example/);
  await expectTotal(page, 22);
  await press('Escape');
  await to('checkbox', 'Choose all of this page');
  await press('Space');
  await to('button', 'Choose all 22', 'Shift+Tab');
  await press('Enter');
  await expect(page.getByRole('region', { name: 'Chosen users' })).toContainText('All 22 chosen');
  await expectInSight(page);
  await to('button', 'Delete …');
  await press('Enter');
  const panel = page.getByRole('dialog');
  await expect(panel.getByRole('textbox')).toBeFocused();
  const remove = panel.getByRole('button', { name: 'Delete 22 users' });
  await expect(remove).toBeDisabled();
  await expect(remove).toBeInViewport();
  await type('delete 2 ');
  await expect(remove).toBeDisabled();
  await press('Control+a');
  await type('Delete 22');
  await expect(remove).toBeEnabled();
  await press('Enter', ' ');
  await expect(panel.getByRole('textbox')).toBeFocused();
  await expect(remove).toBeEnabled();
  expect(sent).toEqual([]);
  await to('button', 'Delete 22 users');
  await press('Enter');
  await expectTold(page, 'Deleted: 22 users');
  await expect(page.getByRole('heading', { name: /^Nobody has/ })).toBeVisible();
  await expectInSight(page);
  expect(await totalOf('email.endsWith=@keys.example')).toBe(0);
  await to('button', 'Undo', 'Shift+Tab');
  await press('Enter');
  await expectTold(page, 'As before: 22 users');
  await expect(rows(page)).toHaveCount(20);
  await expectInSight(page);
  expect(await totalOf('email.endsWith=@keys.example')).toBe(22);
});

test('a user who is deleted in a row or on the card leaves the focus to the next one, and comes back', async ({
  page,
}) => {
  for (const name of ['Delta', 'Gamma', 'Beta', 'Alpha']) await create({ name, country: 'KeyGone' });
  const { press, to } = await open(page, 'country=KeyGone');
  await press('j', 'j');
  await to('button', 'More about Beta');
  await press('Enter');
  await to('button', 'Delete');
  await press('Enter');
  await expectTold(page, 'Beta was deleted');
  await expect(rows(page)).toHaveCount(3);
  await expectInRow(page, 'Gamma');
  await press('Enter');
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Gamma' })).toBeFocused();
  await to('button', 'More', 'Shift+Tab');
  await press('Enter');
  await to('button', 'Delete');
  await press('Enter');
  await expectTold(page, 'Gamma was deleted');
  await expect(rows(page)).toHaveCount(2);
  await expectInRow(page, 'Delta');
  await to('button', 'Undo', 'Shift+Tab');
  await press('Enter');
  await expectTold(page, 'Gamma was deleted: undone');
  await expect(rows(page)).toHaveCount(3);
  await expectInSight(page);
});

test('the next user is one key away, and Escape closes the innermost thing alone', async ({ page }) => {
  const { press, type, to } = await open(page, 'country=BR&sort=name');
  const { body } = await call('GET', '/api/users?country=BR&sort=name&size=22');
  const { content } = body as { content: { name: string }[] };
  const card = page.getByRole('dialog');
  const heading = (at: number) => card.getByRole('heading', { name: content[at]?.name ?? '', exact: true });
  await press('j', 'Enter');
  await expect(heading(0)).toBeFocused();
  for (let at = 1; at <= 20; at++) {
    await press(at % 2 === 0 ? 'j' : 'ArrowDown');
    await expect(heading(at)).toBeFocused();
  }
  await expect(page).toHaveURL(/page=1/);
  await press('k');
  await expect(heading(19)).toBeFocused();
  await expect(card).toContainText(`20 of ${await totalOf('country=BR')}`);
  // A list of suggestions, a menu, the card.
  await to('combobox', 'Status');
  await press('ArrowDown');
  await expect(offered(page).first()).toBeVisible();
  await press('Escape');
  await expect(offered(page)).toHaveCount(0);
  await expectOn(page, 'combobox', 'Status');
  await to('button', 'More', 'Shift+Tab');
  await press('Enter');
  await to('button', 'Delete');
  await press('Escape');
  await expectOn(page, 'button', 'More');
  await expect(card).toBeVisible();
  await press('Escape');
  await expect(card).toHaveCount(0);
  await expectInRow(page, content[19]?.name ?? '?');

  // A menu of the list.
  await press('f');
  await type('a');
  await expect(offered(page).first()).toBeVisible();
  await press('Escape');
  await expect(offered(page)).toHaveCount(0);
  await expectInRow(page, content[19]?.name ?? '?');
  await press(...Array(19).fill('k'));
  await to('button', 'Columns and order', 'Shift+Tab');
  await press('Enter');
  await to('checkbox', 'Age');
  await press('Space');
  await expect(page.getByRole('columnheader', { name: 'Age' })).toBeVisible();
  await press('Escape');
  await expectOn(page, 'button', 'Columns and order');
});

test('pages turn, and an export is saved and ended, with the focus where it was', async ({ page }) => {
  const { press, to } = await open(page, 'status=suspended');
  const total = await totalOf('status=suspended');
  const pages = Math.ceil(total / 20);
  await to('button', 'Export');
  const downloading = page.waitForEvent('download');
  await press('Enter');
  const text = readFileSync(await (await downloading).path(), 'utf8');
  expect(text.trim().split('\r\n')).toHaveLength(total + 1);
  const size = Math.ceil(Buffer.byteLength(text) / 1_000);
  await expect(page.locator('.toast')).toHaveText(new RegExp(`^users.csv saved: ${total} users, ${size} KB`));
  await expectOn(page, 'button', 'Export');
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/users/all?*', async (route) => {
    await promise;
    await route.continue().catch(() => undefined);
  });
  await press('Enter');
  await expectOn(page, 'button', 'Cancel the export');
  await press('Enter');
  await expectOn(page, 'button', 'Export');
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  resolve();

  await to('button', 'Next page', 'Shift+Tab');
  await press('Enter');
  await expect(page).toHaveURL(/page=1/);
  await expect(page.locator('table[aria-busy="false"]')).toBeVisible();
  await expectOn(page, 'button', 'Next page');
  await to('textbox', 'Page', 'Shift+Tab');
  await press('Backspace');
  await page.keyboard.type(String(pages));
  await press('Enter');
  await expect(page).toHaveURL(new RegExp(`page=${pages - 1}`));
  await expect(page.locator('table[aria-busy="false"]')).toBeVisible();
  await expectOn(page, 'textbox', 'Page');
  await to('button', 'Previous page', 'Shift+Tab');
  await press('Enter');
  await expect(page).toHaveURL(new RegExp(`page=${pages - 2}`));
  await to('button', 'Next page');
  // There is none after the last one.
  await press('Enter');
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
  await expectInSight(page);
  await to('button', 'E-mail', 'Shift+Tab');
  await press('Enter');
  await expect(page.getByRole('columnheader', { name: 'E-mail' })).toHaveAttribute('aria-sort', 'ascending');
  await expectOn(page, 'button', 'E-mail');
});

test('a user is created with a country and a number', async ({ page }) => {
  const { press, type, to } = await open(page);
  await to('button', 'New user');
  await press('Enter');
  await expectOn(page, 'textbox', 'Name');
  await type('Created By Keys');
  await to('combobox', 'Country');
  await type('Brazil');
  await press('Tab');
  await to('button', 'Attribute');
  await press('Enter');
  await expectOn(page, 'textbox', 'Name of the attribute');
  await type('level');
  await to('combobox', 'Kind');
  await type('number');
  await to('textbox', 'Value');
  await type('five');
  await press('Enter');
  // It is said that it is no number, where it stands.
  await expect(page.getByRole('textbox', { name: 'Value' })).toHaveAttribute('aria-invalid', 'true');
  await expectOn(page, 'textbox', 'Value');
  await press('Control+a');
  await type('5');
  await to('button', 'Create');
  await press('Enter');
  await expectTold(page, 'Created By Keys was created');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectOn(page, 'button', 'New user');
  const { body } = await call('GET', '/api/users?q=created+by+keys');
  expect((body as { content: object[] }).content).toEqual([
    expect.objectContaining({ name: 'Created By Keys', country: 'BR', attributes: { level: 5 } }),
  ]);
});

test('a view is kept in this browser by its name, with its number, opened and forgotten', async ({ page }) => {
  const { press, type, to } = await open(page, 'status=suspended&sort=name');
  const total = await totalOf('status=suspended');
  await to('button', 'Save this view');
  await press('Enter');
  await expectOn(page, 'textbox', 'Name of the view');
  await expect(page.getByRole('textbox', { name: 'Name of the view' })).toHaveValue('Status suspended');
  await type('Mine <b>');
  await press('Enter');
  const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
  await expect(views).toHaveText(['All', `Mine <b> ${total}`]);
  await expectInSight(page);
  await to('link', /^All/, 'Shift+Tab');
  await press('Enter');
  await expect(page).not.toHaveURL(/suspended/);
  await page.reload();
  await to('link', `Mine <b> ${total}`);
  await press('Enter');
  await expectTotal(page, total);
  await expect(page).toHaveURL(/status=suspended&sort=name$/);
  await expect(views.last()).toHaveAttribute('aria-current', 'page');
  await to('button', 'Forget this view');
  await press('Enter');
  await expect(views).toHaveText(['All']);
  await expectInSight(page);
});

test('a change of many is run by its button alone, stopped, and goes on', async ({ page }) => {
  for (let i = 0; i < 4; i++) await create({ name: `Stopped ${i}`, country: 'KeyStop', status: 'active' });
  const { press, type, to } = await open(page, 'country=KeyStop');
  let calls = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/users/edits?*', async (route) => {
    if (route.request().postDataJSON().dryRun) return route.continue();
    calls++;
    if (calls === 2) await promise;
    const json = { edit: '0123456789abcdef', changed: calls, unchanged: 0, failed: [], left: 4 - calls };
    return route.fulfill({ json });
  });
  await to('checkbox', 'Choose all of this page');
  await press('Enter', 'Space');
  await to('button', 'Change …', 'Shift+Tab');
  await press('Enter');
  await expectOn(page, 'combobox', 'Status');
  await type('suspended');
  await expect(offered(page).first()).toBeVisible();
  await press('Enter');
  const change = page.getByRole('dialog').getByRole('button', { name: 'Change 4 users' });
  await expect(change).toBeEnabled();
  // In each box.
  await press('Enter', 'Space', 'Backspace', 'Enter');
  await to('combobox', 'How', 'Shift+Tab');
  await press('Enter', 'Space', 'Enter');
  await to('combobox', 'Field', 'Shift+Tab');
  await press('Enter', 'Space', 'Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(change).toBeEnabled();
  expect(calls).toBe(0);
  // Escape closes the list of the box, then the panel.
  await to('combobox', 'Status');
  await press('ArrowDown');
  await expect(offered(page).first()).toBeVisible();
  await press('Escape');
  await expect(offered(page)).toHaveCount(0);
  await expectOn(page, 'combobox', 'Status');
  await press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectOn(page, 'button', 'Change …');

  await press('Enter');
  await expectOn(page, 'combobox', 'Status');
  await type('suspended');
  await to('button', 'Change 4 users');
  await press('Enter');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '1');
  await expectInSight(page);
  await to('button', 'Stop here');
  await press('Enter');
  await expectInSight(page);
  resolve();
  await expectTold(page, 'Changed so far: 2 users');
  expect(calls).toBe(2);
  await expectInSight(page);
  await to('button', 'Go on');
  await press('Enter');
  await expectTold(page, 'Changed: 4 users');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectInSight(page);
  expect(calls).toBe(4);
});

test('who changed somebody is in the history, and among what happened today', async ({ page }) => {
  const { press, type, to } = await open(page);
  await press('/');
  await type('changed keyqwert');
  // Less of it finds the same one, and Enter goes on to the list only where all of it was asked for.
  await expect(page).toHaveURL(/q=changed.keyqwert$/);
  await expectTotal(page, 1);
  await press('Enter', 'Enter');
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Changed Keyqwert' })).toBeFocused();
  await to('tab', /^Details/);
  await press('ArrowRight');
  await expectOn(page, 'tab', 'History 2');
  await expect(page.locator('.timeline li').first()).toHaveText(/changed.*Age.*1.*2/);
  // How they were first is behind the line of the change.
  await to('button', 'Restore');
  await to('link', /^As it was/);
  await press('Enter');
  await expect(page.getByRole('textbox', { name: 'Age', exact: true })).toHaveValue('1');
  await press('Escape');
  await expectInRow(page, 'Changed Keyqwert');

  await expectKept('Changed Keyqwert');
  await to('link', 'What happened', 'Shift+Tab');
  await press('Enter');
  await to('searchbox', 'Whom');
  await type('Changed Keyqwert');
  await press('Enter');
  await expect(page.locator('.change')).toHaveCount(2);
  await expectOn(page, 'searchbox', 'Whom');
  await to('link', 'Changed Keyqwert');
  await press('Enter');
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Changed Keyqwert' })).toBeFocused();
  await press('Escape');
  await expectOn(page, 'link', 'Changed Keyqwert');
});

test('a deleted user comes back from what happened', async ({ page }) => {
  await expectKept('Gone Keyqwert');
  const { press, type, to } = await open(page, 'show=changes');
  await to('combobox', 'What');
  await type('Deleted');
  await expect(page.locator('.change')).toContainText(['Gone Keyqwert']);
  await to('link', 'Gone Keyqwert');
  await to('button', 'Bring back');
  await press('Enter');
  await expectTold(page, 'Gone Keyqwert is back');
  await expectInSight(page);
  expect(await totalOf('country=KeyBack')).toBe(1);
});

test('every stop of the keyboard is in sight, on each screen', async ({ page }) => {
  const { id } = await create({
    name: 'Seen',
    country: 'FR',
    attributes: { tags: ['one', 'two'], level: 3, isHere: true },
  });
  for (const [view, first] of [
    ['show=overview', 'link'],
    ['show=users&size=20', 'link'],
    ['show=changes', 'link'],
    [`show=users&q=Seen&user=${id}`, 'dialog'],
  ] as const) {
    const { press } = await open(page, view);
    if (first === 'dialog') await expect(page.getByRole('dialog').getByRole('heading').first()).toBeFocused();
    for (let steps = 0; steps < 80; steps++) {
      await press('Tab');
      if (await page.evaluate('document.activeElement === document.body')) break;
      await expectInSight(page);
    }
  }
});
