import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { freePort } from '../../tools/local/port.ts';
import { type LocalService, startService } from '../support/httpService.ts';
import { AUDIENCE, CLIENT_ID, startSignIn } from './issuer.ts';

/** Where a refresh token can be used once, and belongs to the last sign-in of its session: oidc-provider without `offline_access`. */
let service: LocalService;
let issuer: Awaited<ReturnType<typeof startSignIn>>;
let admin: string;

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
  // The other tests find nobody.
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.toast')).toContainText('Sent Twice was created: undone');
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
});
