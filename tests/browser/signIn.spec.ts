import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test';
import { freePort } from '../../tools/local/port.ts';
import { type LocalService, startService } from '../support/httpService.ts';
import { AUDIENCE, CLIENT_ID, startSignIn } from './issuer.ts';
import { expectTotal, refuseErrors } from './seeded.ts';

test.use({ locale: 'en-GB', timezoneId: 'UTC' });

/** Where a refresh token can be used once, and belongs to the last sign-in of its session: oidc-provider without `offline_access`. */
let service: LocalService;
let issuer: Awaited<ReturnType<typeof startSignIn>>;
let admin: string;

// The issuer asks other hosts for its fonts.
refuseErrors(() => true);

test.beforeAll(async () => {
  test.setTimeout(900_000);
  const port = await freePort();
  admin = `http://localhost:${port}/api/admin`;
  issuer = await startSignIn(admin);
  const env = { PORT: String(port), OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE, ADMIN_CLIENT_ID: CLIENT_ID };
  service = await startService({ env });
});

test.afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

/** The answers of the issuer to those who want tokens. */
function watch(context: BrowserContext): number[] {
  const statuses: number[] = [];
  context.on('response', (response) => {
    const isToken = response.url().startsWith(issuer.url) && response.request().method() === 'POST';
    if (isToken && response.url().endsWith('/token')) statuses.push(response.status());
  });
  return statuses;
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('input[name="login"]').fill(name);
  await page.locator('input[name="password"]').fill('any');
  await page.locator('button[type="submit"]').click();
  await page.waitForURL(`${admin}**`);
}

/** Signs in on the page with a view. */
async function enter(page: Page, name: string, view: string): Promise<void> {
  await page.goto(`${admin}${view}`);
  await expect(page.getByRole('heading', { name: 'Not signed in' })).toBeVisible();
  await signIn(page, name);
}

const card = (page: Page): Locator => page.getByRole('dialog');
const field = (page: Page, label: string): Locator => card(page).getByLabel(new RegExp(`^${label}`));

/** Takes back that somebody was created: the other tests find nobody. */
async function expectUndone(page: Page, name: string): Promise<void> {
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.toast')).toContainText(`${name} was created: undone`);
}

const expectIn = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { name: 'No users yet' })).toBeVisible();

/** Asks for something: tokens live so short here that each question renews them. */
async function ask(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().includes('/api/users'));
  const other = page.url().includes('overview') ? 'Users' : 'Overview';
  await page.getByRole('link', { name: other, exact: true }).click();
  expect((await answered).status()).toBe(200);
}

test('tabs share one sign-in: none ends that of another, and no refresh token is used twice', async ({ context }) => {
  const statuses = watch(context);
  const first = await context.newPage();
  await first.goto(`${admin}#show=overview`);
  await signIn(first, 'ann');
  await expectIn(first);
  const second = await context.newPage();
  const toIssuer: string[] = [];
  second.on('request', (request) => request.url().includes('/auth?') && toIssuer.push(request.url()));
  await second.goto(`${admin}#show=overview`);
  await expectIn(second);
  // It has taken over the tokens of the first one.
  expect(toIssuer).toEqual([]);
  // A tab that was made twice has the storage of the other one.
  const storage = await first.evaluate<string>('JSON.stringify(sessionStorage)');
  const copy = await context.newPage();
  // Once: the name of a window stays over a reload.
  const fill = `for (const [key, value] of Object.entries(${storage})) sessionStorage.setItem(key, value);`;
  await copy.addInitScript(`if (name === '') { name = 'copy'; ${fill} }`);
  await copy.goto(`${admin}#show=overview`);
  await expectIn(copy);

  for (const tab of [first, second, copy, first, second]) await ask(tab);
  await Promise.all([first, second, copy].map(ask));
  await Promise.all([first, second, copy].map((tab) => tab.reload()));
  await Promise.all([first, second, copy].map(expectIn));
  await Promise.all([first, second, copy].map(ask));
  expect(statuses.length).toBeGreaterThan(8);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);

  await first.getByRole('button', { name: 'Menu' }).click();
  await first.getByRole('button', { name: 'Sign out' }).click();
  await first.getByRole('button', { name: /Yes/ }).click();
  for (const tab of [first, second, copy]) {
    await expect(tab.getByRole('heading', { name: 'Not signed in' })).toBeVisible();
    expect(await tab.evaluate('sessionStorage.length')).toBe(0);
  }
});

test('the end of a sign-in is said above what is shown, which stays', async ({ context }) => {
  const page = await context.newPage();
  await page.goto(`${admin}#show=overview`);
  await signIn(page, 'ann');
  await expectIn(page);
  const body = JSON.stringify({ status: 401, message: 'Unauthorized' });
  await page.route('**/api/users**', (route) =>
    route.fulfill({ status: 401, body, headers: { 'content-type': 'application/json' } }),
  );
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  const banner = page.getByRole('alert');
  await expect(banner).toHaveText('Your sign-in has ended.Sign in');
  await page.unroute('**/api/users**');
  await banner.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${admin}#show=users`);
  await expectIn(page);
  await expect(banner).toHaveCount(0);
});

test('a token that the service refuses, whose end the issuer does not tell, is renewed once, and nothing was lost', async ({
  context,
}) => {
  const statuses = watch(context);
  // RFC 6749 only recommends that an issuer tells it.
  await context.route(`${issuer.url}/token`, async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    const { expires_in: _, ...json } = await response.json();
    await route.fulfill({ response, json });
  });
  const page = await context.newPage();
  await page.goto(`${admin}#show=overview`);
  await signIn(page, 'ann');
  await expectIn(page);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expectIn(page);
  // The present token is over.
  const tokenOf = "JSON.parse(sessionStorage.getItem('user')).access_token";
  const over = `Bearer ${await page.evaluate<string>(tokenOf)}`;
  await page.route('**/api/users**', async (route) =>
    (await route.request().headerValue('authorization')) === over
      ? route.fulfill({ status: 401, json: { status: 401 } })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Sent Twice');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.locator('.toast')).toContainText('Sent Twice was created');
  await expect(page.locator('.banner')).toHaveCount(0);
  expect(statuses).toEqual([200, 200]);
  await expectUndone(page, 'Sent Twice');
});

test('a reload that loses renewed tokens costs one click later, and nothing that was entered', async ({ context }) => {
  const statuses = watch(context);
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${admin}#show=overview`);
  await signIn(page, 'ann');
  await expectIn(page);
  await expect.poll(() => page.evaluate('navigator.locks.query().then(({ held }) => held.length)')).toBe(1);
  const { promise: isSpent, resolve } = Promise.withResolvers<void>();
  await page.route(`${issuer.url}/token`, (route) => route.fetch({ maxRetries: 3 }).then(() => resolve()));
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await isSpent;
  await page.unroute(`${issuer.url}/token`);
  await page.reload();
  // The access token of before lasts to its end.
  await expectIn(page);
  expect(statuses.at(-1)).toBe(400);
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Entered Meanwhile');
  await page.clock.fastForward('01:00');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Entered Meanwhile');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.locator('.toast')).toContainText('Entered Meanwhile was created');
  await expectUndone(page, 'Entered Meanwhile');
});

/** Until no tokens are on their way: a reload would lose them, and they would be stored over what a test stores. */
async function untilIdle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  const renewals =
    "navigator.locks.query().then((all) => [...all.held, ...all.pending].filter(({ name }) => name.startsWith('renewal')).length)";
  await expect.poll(() => page.evaluate<number>(renewals)).toBe(0);
}

const kept = (page: Page) =>
  page.evaluate<string>("[JSON.stringify(localStorage), document.cookie, location.search].join(' ')");

test('signs in and out, keeps the view, and leaves no token behind', async ({ page }) => {
  await enter(page, 'ann', '#status=active');
  await expect(page.getByText('Nobody has Status active')).toBeVisible();
  const menu = page.getByRole('button', { name: 'Menu' });
  await expect(menu.getByText('A', { exact: true })).toBeVisible();
  await expect(menu.locator('svg')).toBeHidden();
  await menu.click();
  await expect(page.getByRole('banner')).toContainText('annusers:read users:write users:audit');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(`${admin}#status=active`);
  expect(await kept(page)).toBe('{}  ');
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByRole('heading', { name: 'No users yet' })).toBeVisible();
  await expect(page.locator('.notice pre').first()).toHaveText(`npm run seed -- --users 5000 --port ${service.port}`);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('button', { name: 'New user' }).click();
  await field(page, 'Name').fill('By Ann');
  await card(page).getByRole('button', { name: 'Create' }).click();
  await expect(page.locator('.toast')).toContainText('By Ann was created');
  // The question who has changed her is answered in two steps.
  await page.getByRole('searchbox').fill('ann by');
  await page.locator('tbody tr').click();
  await card(page).getByRole('tab', { name: 'History' }).click();
  await expect(card(page).locator('.timeline')).toContainText('ann created');
  await page.getByRole('button', { name: 'Close' }).click();
  // This tab stays signed in, and another one is by this.
  await untilIdle(page);
  await page.reload();
  await expectTotal(page, 1);
  const another = await page.context().newPage();
  await another.goto(`${admin}#show=users`);
  await expectTotal(another, 1);
  // Each renews tokens of its own.
  for (const tab of [page, another, page]) {
    await untilIdle(tab);
    await tab.reload();
    await expectTotal(tab, 1);
  }
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: /Yes/ }).click();
  await expect(page.getByRole('heading', { name: 'Not signed in' })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await expect(another.getByRole('heading', { name: 'Not signed in' })).toBeVisible();
});

test('offers those who have done what is shown by their names, and shows what one of them did', async ({
  page,
  browser,
}) => {
  await enter(page, 'ann', '#show=users&user=new');
  await field(page, 'Name').fill('Ann Lee');
  await field(page, 'External ID').fill('ann');
  await card(page).getByRole('button', { name: 'Create' }).click();
  await expect(page.locator('.toast')).toContainText('Ann Lee was created');
  const context = await browser.newContext();
  const other = await context.newPage();
  await enter(other, 'bea', '#show=users&user=new');
  await field(other, 'Name').fill('By Bea');
  await card(other).getByRole('button', { name: 'Create' }).click();
  await expect(other.locator('.toast')).toContainText('By Bea was created');
  await context.close();
  await page.getByRole('link', { name: 'What happened', exact: true }).click();
  const people = page.getByLabel('Who did it');
  await expect(async () => {
    await page.reload();
    await expect(people.getByRole('option')).toHaveText(['Anybody', 'Ann Lee', 'bea'], { timeout: 5_000 });
  }).toPass();
  await people.selectOption('bea');
  await expect(page.locator('.change')).toHaveText([/By Bea created.*bea/]);
  await people.selectOption('Ann Lee');
  await expect(page.locator('.change').first()).toContainText('Ann Lee');
  await expect(page.locator('.change').filter({ hasText: 'By Bea' })).toHaveCount(0);
  // An address names its person, though nothing of them is shown.
  await page.goto(`${admin}#show=changes&person=ann&type=updated`);
  await expect(page.getByText('Nothing like that has happened')).toBeVisible();
  await expect(people.locator(':checked')).toHaveText('Ann Lee');
});

test('shows only what the scopes allow', async ({ page }) => {
  await enter(page, 'reader', '#show=users');
  await page.getByRole('link', { name: 'By Ann' }).click();
  await expect(field(page, 'Name')).toHaveValue('By Ann');
  await expect(field(page, 'Name')).toHaveAttribute('readonly');
  for (const name of ['Save', 'Delete']) await expect(card(page).getByRole('button', { name })).toHaveCount(0);
  // The cost of requests is in the menu alone.
  await expect(page.locator('.costs')).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('banner').locator('.costs')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(card(page).getByRole('tab')).toHaveCount(0);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('button', { name: 'New user' })).toHaveCount(0);
});

/** A form with a name, at the end of the sign-in. */
async function enterUntilTheEnd(page: Page) {
  await enter(page, 'ann', '#show=users&user=new');
  await field(page, 'Name').fill('Over A Sign-in');
  await field(page, 'Country').fill('Brazil');
  await page.route('**/api/users', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 401, json: { status: 401 } }) : route.continue(),
  );
  await card(page).getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { name: 'Your sign-in has ended.' })).toBeVisible();
  await page.unroute('**/api/users');
}

test('keeps what was entered over a sign-in, in this tab alone', async ({ page }) => {
  await enterUntilTheEnd(page);
  const back = page.waitForRequest(/[?&]code=/);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await back;
  await expect(field(page, 'Name')).toHaveValue('Over A Sign-in');
  await expect(field(page, 'Country')).toHaveValue('Brazil');
  expect(await page.evaluate<string>('Object.keys({ ...sessionStorage }).join()')).not.toContain('entered');
  await card(page).getByRole('button', { name: 'Create' }).click();
  await expect(page.locator('.toast')).toContainText('Over A Sign-in was created');
});

test('gives what was entered to nobody else who signs in', async ({ page }) => {
  await enterUntilTheEnd(page);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('input[name="login"]').fill('bea');
  await page.locator('input[name="password"]').fill('any');
  await page.locator('button[type="submit"]').click();
  await expect(field(page, 'Name')).toHaveValue('');
  expect(await page.evaluate<string>('Object.keys({ ...sessionStorage }).join()')).not.toContain('entered');
});

test('takes what is stored and cannot be read as if it were not there', async ({ page }) => {
  await enter(page, 'ann', '#show=users&user=new');
  for (const text of ['{"by":"ann","rows":', 'null', '{"by":"ann"}', '{"by":"ann","rows":[{}],"base":[]}']) {
    await untilIdle(page);
    await page.evaluate(`sessionStorage.setItem('entered new', ${JSON.stringify(text)})`);
    await page.reload();
    await expect(field(page, 'Name')).toHaveValue('');
  }
  for (const text of ['{"access_token":', '{"access_token":"a","scope":5}']) {
    await untilIdle(page);
    await page.evaluate(`sessionStorage.setItem('user', ${JSON.stringify(text)})`);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Not signed in' })).toBeVisible();
  }
});

test('quotes what an address says about a sign-in, as the words of somebody else', async ({ page }) => {
  await page.goto(`${admin}`);
  const leaving = page.waitForRequest((request) => request.url().includes('state='));
  await page.getByRole('button', { name: 'Sign in' }).click();
  const state = new URL((await leaving).url()).searchParams.get('state');
  await page.locator('input[name="login"]').waitFor();
  const words = `Your account is locked: call 555. ${'x'.repeat(99)}`;
  await page.goto(`${admin}?state=${state}&error=access_denied&error_description=${words}`);
  await expect(page.getByRole('alert')).toContainText(
    'The sign-in has failed, in words that are not of this page: Your account',
  );
  await expect(page.getByRole('alert').locator('q')).toHaveText(`${words.slice(0, 60)}…`);
});

test('says so if somebody may do nothing, and if nobody can sign in', async ({ page }) => {
  await enter(page, 'nobody', '');
  await expect(page.getByRole('heading', { name: 'Not allowed' })).toBeVisible();

  // A service without a client.
  await page.context().clearCookies();
  await page.route('**/api/admin', async (route) => {
    const response = await route.fetch();
    const without = (settings: string) => JSON.stringify({ ...JSON.parse(settings), signIn: undefined });
    await route.fulfill({ response, body: (await response.text()).replace(/(?<=id="settings">)[^<]+/, without) });
  });
  await page.evaluate('sessionStorage.clear()');
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('ADMIN_CLIENT_ID');
});
