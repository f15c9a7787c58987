import { expect, test } from '@playwright/test';
import { ROUTES } from '../../lib/http/routes.ts';
import { type LocalService, startService } from '../support/httpService.ts';

let service: LocalService;

test.beforeAll(async () => {
  service = await startService();
});

test.afterAll(async () => {
  await service.stop();
});

test('the documentation page tries an operation on the running service, and asks no other host', async ({ page }) => {
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));

  await page.goto(`${service.url}/api/docs`);
  await expect(page.getByRole('heading', { name: /^User management/ })).toBeVisible();
  await expect(page.locator('.opblock')).toHaveCount(ROUTES.length);
  await expect(page).toHaveScreenshot('docs.png');

  const create = page.locator('#operations-Users-createUser');
  await create.getByRole('button').first().click();
  await create.getByRole('button', { name: 'Try it out' }).click();
  await create.locator('textarea').fill('{"name":"Ann Browser","lastName":"Browser"}');
  await create.getByRole('button', { name: 'Execute' }).click();
  await expect(create.locator('.live-responses-table tbody .response-col_status').first()).toContainText('201');

  const list = page.locator('#operations-Users-listUsers');
  await list.getByRole('button').first().click();
  await list.getByRole('button', { name: 'Try it out' }).click();
  await list.locator('tr[data-param-name="keyword"] input').fill('brow');
  await list.getByRole('button', { name: 'Execute' }).click();
  await expect(list.locator('.live-responses-table tbody .response-col_status').first()).toContainText('200');
  await expect(list.locator('.live-responses-table')).toContainText('"name": "Ann Browser"');
  await expect(list.locator('.live-responses-table')).toContainText('"totalElements": 1');

  const total = await fetch(`${service.url}/api/users?keyword=brow`).then((response) => response.json());
  expect(total).toMatchObject({ totalElements: 1 });
  expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] });
});
