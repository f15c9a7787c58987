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
