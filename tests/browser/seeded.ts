import { execFileSync } from 'node:child_process';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { ROOT } from '../support/files.ts';
import { type Call, caller, type LocalService, startService } from '../support/httpService.ts';

/** Failures that a test causes on purpose. */
const EXPECTED = /Failed to load resource/;

/** Lets a test fail if its page reports an error, or makes a request that is not allowed. */
export function refuseErrors(isAllowed: (url: string) => boolean): void {
  const complaints: string[] = [];
  test.beforeEach(({ page }) => {
    page.on('request', (request) => {
      if (!isAllowed(request.url())) complaints.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  test.afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });
}

/** A service with users of every kind, as long as the tests of a file run. A test fails if its page reports an error, or asks another host. */
export function seededService(users: number) {
  let service: LocalService | undefined;
  const url = (): string => service?.url ?? '';
  const call: Call = (...request) => caller(url())(...request);

  test.beforeAll(async () => {
    test.setTimeout(900_000);
    service = await startService();
    const env = { ...process.env, PORT: String(service.port) };
    const program = ['tools/local/seed.ts', '--users', String(users), '--seed', '7'];
    execFileSync(process.execPath, program, { cwd: ROOT, env, stdio: 'ignore' });
  });
  test.afterAll(async () => {
    await service?.stop();
  });

  refuseErrors((asked) => asked.startsWith(url()) || /^(data|blob):/.test(asked));

  return {
    /** The address of the admin page, with a view. */
    admin: (view: string) => `${url()}/api/admin#${view}`,
    url,
    call,
    create: async (fields: object) =>
      (await call('POST', '/api/users', { json: fields })).body as { id: number; name: string },
    totalOf: async (query: string): Promise<number> =>
      ((await call('GET', `/api/users?${query}&size=1`)).body as { totalElements: number }).totalElements,
  };
}

/** The number on top of a list, with what was asked for. */
export const expectTotal = (page: Page, users: number): Promise<void> =>
  expect(page.locator('h2 output')).toHaveText(new RegExp(`^${users.toLocaleString('en-GB')} users?( with .*)?$`));

/**
 * Nothing that axe finds, once nothing moves: a button that can be clicked again gets its full colour in a moment.
 *
 * @param view the view in a failure
 */
export async function expectAccessible(page: Page, view?: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0);
  // The addresses of links begin with #, so axe takes some of them for ways past the navigation.
  const { violations } = await new AxeBuilder({ page }).disableRules('skip-link').analyze();
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    view,
  ).toEqual([]);
  await page.emulateMedia({ reducedMotion: null });
}
