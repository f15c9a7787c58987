/** The way to the first list. */
import { expect, test } from '@playwright/test';
import { seededService } from './seeded.ts';

const { admin } = seededService(100);

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
