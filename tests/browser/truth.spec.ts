/** The page speaks of now, and truly: messages, numbers, and what is said of an entry before it is stored. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectTotal, seededService } from './seeded.ts';

test.use({ locale: 'en-GB', timezoneId: 'UTC' });

const SEEDED = 300;

const { admin, call, create, totalOf } = seededService(SEEDED);

const open = async (page: Page, view: string): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(admin(view));
  await expect(
    page.locator('table[aria-busy="false"], .total b, .lines[aria-busy="false"] .change').first(),
  ).toBeVisible();
};

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const toast = (page: Page): Locator => page.locator('.toast');
const card = (page: Page): Locator => page.getByRole('dialog');
const age = (page: Page): Locator => card(page).getByLabel('Age');

async function save(page: Page, text: string): Promise<void> {
  await age(page).fill(text);
  await card(page).getByRole('button', { name: 'Save' }).click();
}

/** Writes down each format that is made, and each request. */
const WATCH = `
  globalThis.done = [];
  for (const name of Object.getOwnPropertyNames(Intl).filter((each) => each.endsWith('Format') || each === 'DisplayNames')) {
    Intl[name] = new Proxy(Intl[name], { construct: (Format, args) => done.push(name) && new Format(...args) });
  }
  globalThis.fetch = new Proxy(fetch, { apply: (send, self, args) => done.push('request') && send(...args) });
`;

for (const view of ['show=users', '']) {
  test(`the first request of #${view} is sent before a format is made, which takes a browser 15 ms`, async ({
    page,
  }) => {
    await page.addInitScript(WATCH);
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname.replace(/-[A-Z0-9]{8}/, '')));
    await page.goto(admin(view));
    await expect(page.locator(view === '' ? '.total b' : 'tbody tr').first()).toBeVisible();
    expect(await page.evaluate<string[]>('done.slice(0, 1)')).toEqual(['request']);
    expect(await page.evaluate<string[]>('done')).toContain('NumberFormat');
    expect(paths.slice(0, 3)).toEqual(['/api/admin', '/api/admin/main.css', '/api/admin/main.js']);
    if (view !== '') expect(paths.slice(3)).toEqual(['/api/users']);
  });
}

test('the beginning of a save takes the last message away, and a card does not say that there is no connection once there is', async ({
  page,
}) => {
  const { id } = await create({ name: 'Renamed here' });
  await open(page, `show=users&user=${id}`);
  await save(page, '1');
  await expect(toast(page)).toContainText('Renamed here was saved');
  await page.route('**/api/users**', (route) => route.abort());
  await save(page, '2');
  await expect(page.locator('.banner')).toContainText('No connection');
  await expect(toast(page)).toHaveCount(0);
  await page.unroute('**/api/users**');
  await expect(page.locator('.banner')).toHaveCount(0);
  await expect(card(page).getByRole('alert')).toHaveText('No answerWhether it was done is not known. Do it again.');
  await save(page, '2');
  await expect(toast(page)).toContainText('Renamed here was saved');
  // Between the click and the service: the card would read it a moment before.
  await page.route(`**/api/users/${id}*`, async (route) => {
    if (route.request().method() !== 'GET') await call('PATCH', `/api/users/${id}`, { json: { status: 'theirs' } });
    await route.continue();
  });
  await save(page, '3');
  await expect(card(page).getByRole('alert')).toContainText('has saved meanwhile');
  await expect(toast(page)).toHaveCount(0);
});

test('an undo that somebody else has prevented says what they have changed, reads the card anew, and is not offered again', async ({
  page,
}) => {
  const { id } = await create({ name: 'Undone no more', age: 40 });
  await open(page, `show=users&user=${id}`);
  await save(page, '41');
  await expect(toast(page)).toContainText('was saved');
  await call('PATCH', `/api/users/${id}`, { json: { age: 77 } });
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toHaveText('Not taken back: Somebody else has changed Age 41 → 77 since');
  await expect(age(page)).toHaveValue('77');
  // As long as the change itself is not told.
  await page.route('**/users/changes?**', (route) => route.fulfill({ json: { changes: [] } }));
  await page.getByRole('link', { name: 'What happened', exact: true }).click();
  const here = page.getByRole('list', { name: 'Done here a moment ago' }).getByRole('listitem');
  await expect(here).toHaveText([/Undone no more was saved/]);
  await expect(here.getByRole('button')).toHaveCount(0);
});

test('many who were created one by one are many until their number is known, by at most two requests and 20 KB', async ({
  page,
}) => {
  const user = (n: number) => ({ op: 'create', user: { name: `Imported ${n}`, email: `imported-${n}@example.org` } });
  const operations = Array.from({ length: 60 }, (_, n) => user(n));
  await call('POST', '/api/users/batch', { json: { operations } });
  const created = async () => {
    const { body } = await call('GET', '/api/users/changes?before=now&size=1000&type=created');
    return (body as { changes: object[] }).changes.length;
  };
  const total = await totalOf('');
  await expect.poll(created, { timeout: 90_000 }).toBe(total);
  const bodies: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/users/changes?')) bodies.push(response.body().then(({ length }) => length));
  });
  await open(page, 'show=changes');
  const creations = page.locator('.change').filter({ hasText: 'users created' });
  await expect(creations).toContainText(/^(?!.*\+).*Many users created/);
  expect(bodies.length).toBeLessThanOrEqual(2);
  expect((await Promise.all(bodies)).reduce((sum, each) => sum + each)).toBeLessThan(20_000);
  const older = button(page, 'Show older');
  await expect(async () => {
    if (await older.isVisible()) await older.click({ timeout: 2_000 });
    await expect(creations).toContainText(`${total} users created`, { timeout: 2_000 });
  }).toPass();
  bodies.length = 0;
  await open(page, 'show=overview');
  await expect(creations).toContainText('Many users created');
  expect(bodies).toHaveLength(1);
});

test('an e-mail is checked once it is left, and an age beyond 130 is asked about before it is stored', async ({
  page,
}) => {
  await open(page, 'show=users&user=new');
  await card(page).getByLabel(/^Name/).fill('Of An Age');
  for (const wrong of ['ann@', 'ann lee@example.org', 'ann@example..org', 'ann@@example.org']) {
    await card(page).getByLabel('E-mail').fill(wrong);
    await expect(card(page).locator('.fault')).toHaveCount(0);
    await page.keyboard.press('Tab');
    await expect(card(page).locator('.fault')).toHaveText('Email must be valid');
  }
  await card(page).getByLabel('E-mail').fill('"ann lee"@bücher.example');
  await age(page).fill('130');
  await expect(card(page).locator('.doubt, .fault')).toHaveCount(0);
  await age(page).fill('410');
  const doubt = card(page).locator('.doubt');
  await expect(doubt).toHaveText('Is somebody 410 years old? Or store it as it is.');
  await button(page, 'Create').click();
  await expect(age(page)).toBeFocused();
  expect(await totalOf('name=Of An Age')).toBe(0);
  await doubt.getByRole('button').click();
  await button(page, 'Create').click();
  await expect(toast(page)).toContainText('Of An Age was created');
  expect(await totalOf('age=410')).toBe(1);
});

test('a value that others have is said to be that of none of these', async ({ page }) => {
  for (const name of ['One of two', 'Two of two']) await create({ name, country: 'Nowhere', status: 'mine' });
  await create({ name: 'Another', status: 'Elsewhere' });
  await open(page, 'country=Nowhere&status=mine');
  await page.keyboard.press('f');
  for (const [typed, said] of [
    ['brazil', 'Brazil: none of these 2'],
    ['elsew', 'Elsewhere: none of these 2'],
    ['qqqq', 'Nothing is called so, and nobody has it'],
  ] as const) {
    await page.getByLabel('Filter', { exact: true }).fill(typed);
    await expect(page.locator('[popover] p[role="status"]')).toHaveText(said);
  }
});

test('a change of many is off where nobody would change, and after one nobody is chosen, by a menu as by the panel', async ({
  page,
}) => {
  for (const name of ['First', 'Second']) await create({ name, country: 'Changing', status: 'here' });
  await create({ name: 'Elsewhere', status: 'there' });
  await open(page, 'country=Changing');
  const all = page.getByRole('checkbox', { name: 'Choose all of this page' });
  const chosen = page.getByRole('region', { name: 'Chosen users' });
  const change = card(page).getByRole('button', { name: 'Change 2 users' });
  await all.check();
  await button(page, 'Change …').click();
  await card(page).getByLabel('Status', { exact: true }).fill('here');
  await expect(card(page)).toContainText('They have it already: nobody changes.');
  await expect(change).toBeDisabled();
  await card(page).getByLabel('Status', { exact: true }).fill('there');
  await change.click();
  await expect(toast(page)).toContainText('Changed: 2 users');
  await expect(chosen).toHaveCount(0);
  await all.check();
  await button(page, 'Set status').click();
  await page
    .getByRole('option', { name: /^here/ })
    .or(page.getByRole('option', { name: 'No status' }))
    .last()
    .click();
  await expect(toast(page)).toContainText('Changed: 2 users');
  await expect(chosen).toHaveCount(0);
  // In the small panel of a deletion the first key goes to the way out.
  await all.check();
  await button(page, 'Delete …').click();
  await expect(card(page).getByRole('button', { name: 'Delete 2 users' })).toBeEnabled();
  await page.keyboard.press('Tab');
  await expect(button(page, 'Cancel')).toBeFocused();
});

test('the next key after Escape in a box of the page is one of the page, and its words stay', async ({ page }) => {
  await create({ name: 'Escaped Once' });
  await create({ name: 'Escaped Twice' });
  await open(page, 'show=users');
  await page.keyboard.press('/');
  await page.keyboard.type('escaped');
  await expectTotal(page, 2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await expect(page.locator('tbody a').first()).toBeFocused();
  await expect(page.getByRole('searchbox')).toHaveValue('escaped');
  await page.getByRole('textbox', { name: 'Page', exact: true }).focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await expect(page.locator('tbody a').first()).toBeFocused();
});

test('a name is shown in the order of its letters as they are stored', async ({ page }) => {
  const { id } = await create({ name: 'Ann \u202egnp.exe', country: 'Turned' });
  await open(page, 'country=Turned');
  await expect(page.locator('tbody a')).toHaveText('Ann ⟨U+202E⟩gnp.exe');
  await page.locator('tbody a').click();
  await expect(card(page).getByRole('heading', { level: 2 })).toHaveText('Ann ⟨U+202E⟩gnp.exe');
  await save(page, '5');
  await expect(toast(page)).toContainText('Ann ⟨U+202E⟩gnp.exe was saved');
  expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ name: 'Ann \u202egnp.exe', age: 5 });
});

test('statuses of one word have one colour, and each part of the bar is a target of 24 px', async ({ page }) => {
  // Statuses of the tests before would take the places of these.
  await call('POST', '/api/users/edits?status.not=active&status.not=suspended', {
    json: { patch: { status: null }, atMost: SEEDED + 100 },
  });
  for (const status of ['Dormant', 'dormant', 'DORMANT', 'archived', 'Active '])
    await create({ name: 'Of A Word', status });
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'show=overview');
  const kindOf = (status: string) =>
    page
      .locator('.parts a')
      .filter({ hasText: new RegExp(`^${status}, `) })
      .locator('i')
      .getAttribute('class');
  expect(new Set([await kindOf('Dormant'), await kindOf('dormant'), await kindOf('DORMANT')]).size).toBe(1);
  expect(await kindOf('Active ')).toBe(await kindOf('active'));
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const part of await page.locator('.parts a').all()) {
      const { width: wide = 0, height = 0 } = (await part.boundingBox()) ?? {};
      expect(Math.min(wide, height)).toBeGreaterThanOrEqual(24);
    }
    const { violations } = await new AxeBuilder({ page }).withRules('target-size').analyze();
    expect(violations.map(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
  }
});

test('the overview asks for sign-in dates only where users have them, and a row has no more than a clerk needs', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(decodeURIComponent(request.url())));
  await open(page, 'show=overview');
  await expect(page.locator('.attention li').first()).toBeVisible();
  expect(asked.filter((url) => /attributes\.last\w+\.lt/.test(url))).toEqual([]);
  await expect(page.locator('.new [role="status"]')).toHaveText(/^[\d,]+ in 28 days$/);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.locator('tbody tr').first().hover();
  await expect(
    button(page, 'Suspend')
      .or(page.getByRole('button', { name: /^More about/ }))
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy ID' })).toHaveCount(0);
});
