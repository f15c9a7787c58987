/** Answers that come late, and people who go on meanwhile: nothing that they enter or choose is dropped without a word. */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { seededService } from './seeded.ts';

test.use({ locale: 'en-GB', timezoneId: 'UTC' });

const { admin, call, create } = seededService(300);

async function open(page: Page, view: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(admin(view));
  await expect(page.locator('table[aria-busy="false"], .lines[aria-busy="false"] .change').first()).toBeVisible();
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const toast = (page: Page): Locator => page.locator('.toast');
const card = (page: Page): Locator => page.getByRole('dialog');
const title = (page: Page): Locator => card(page).getByRole('heading').first();
const age = (page: Page): Locator => card(page).getByLabel('Age');
const row = (page: Page, id: number): Locator => page.locator(`tr[data-id="${id}"] a`).first();

/** Holds back the first answer to requests of a method. @returns whether there is one, and lets it go */
async function hold(page: Page, path: string, method = 'GET'): Promise<{ begun: Promise<void>; letGo(): void }> {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route(path, async (route) => {
    if (isHeld || route.request().method() !== method) return route.fallback();
    isHeld = true;
    const response = await route.fetch();
    begun.resolve();
    await held.promise;
    // The page may not wait for it any more.
    return route.fulfill({ response }).catch(() => undefined);
  });
  return { begun: begun.promise, letGo: held.resolve };
}

/** Opens a card beside a message of somebody else, which can be taken back: then all that is shown is read anew. */
async function openBesideUndo(page: Page, id: number, country: string): Promise<void> {
  await create({ name: 'Another here', country });
  await open(page, `country=${country}&show=users`);
  await page.locator('tbody tr').filter({ hasText: 'Another here' }).hover();
  await button(page, 'More about Another here').click();
  await button(page, 'Delete').click();
  await expect(toast(page)).toContainText('Another here was deleted');
  await row(page, id).click();
  await expect(age(page)).toHaveValue('1');
}

/** Has the card read anew, and holds its answer back, which has the user as they are now. @returns lets it go */
async function holdReading(page: Page, id: number): Promise<() => void> {
  const { begun, letGo } = await hold(page, `**/api/users/${id}`);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await begun;
  return letGo;
}

/** Until what follows from an answer is painted, too. */
const expectSettled = (page: Page): Promise<unknown> =>
  page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50))))',
  );

test('a card that is read anew while somebody begins to write in it keeps what they write', async ({ page }) => {
  const { id } = await create({ name: 'Written here', age: 1, country: 'Held' });
  await openBesideUndo(page, id, 'Held');
  await call('PATCH', `/api/users/${id}`, { json: { status: 'theirs' } });
  const letGo = await holdReading(page, id);
  await age(page).fill('2');
  letGo();
  await expect(age(page)).toHaveValue('2');
  await button(page, 'Save').click();
  await expect(card(page).getByRole('alert')).toContainText('has saved meanwhile');
  await expect(age(page)).toHaveValue('2');
  await button(page, 'Save').click();
  await expect(toast(page)).toContainText('Written here was saved');
  expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ age: 2, status: 'theirs' });
});

test('an answer that was on its way when a save was refused does not take away what is said then', async ({ page }) => {
  const { id } = await create({ name: 'Written here', age: 1, country: 'Late' });
  await openBesideUndo(page, id, 'Late');
  // With costs all is drawn anew at each answer, and then read anew.
  await button(page, 'Menu').click();
  await page.getByLabel('Show units and dollars').uncheck();
  await page.keyboard.press('Escape');
  const letGo = await holdReading(page, id);
  await age(page).fill('2');
  await call('PATCH', `/api/users/${id}`, { json: { status: 'theirs' } });
  await button(page, 'Save').click();
  await expect(card(page).getByRole('alert')).toContainText('has saved meanwhile');
  letGo();
  await button(page, 'Save').click();
  await expect(toast(page)).toContainText('Written here was saved');
  expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ age: 2, status: 'theirs' });
});

test('a new user, and the first of the next page, do not take the place of what is entered', async ({ page }) => {
  const ids: number[] = [];
  for (const name of ['One', 'Two', 'Three', 'Four']) ids.push((await create({ name, age: 1, country: 'Turn' })).id);
  const second = `country=Turn&sort=id&size=2&user=${ids[1]}`;
  await open(page, second);
  await age(page).fill('2');
  page.once('dialog', (question) => question.dismiss());
  await button(page, 'New user').click();
  await expect(age(page)).toHaveValue('2');
  page.once('dialog', (question) => question.accept());
  await button(page, 'New user').click();
  await expect(title(page)).toHaveText('New user');

  await open(page, second);
  await expect(age(page)).toHaveValue('1');
  const { begun, letGo } = await hold(page, '**/api/users?*page=1*');
  await button(page, 'Next user').click();
  await begun;
  await age(page).fill('2');
  letGo();
  await expect(page.locator('tbody')).toContainText('Three');
  await expectSettled(page);
  await expect(title(page)).toHaveText('Two');
  await expect(age(page)).toHaveValue('2');

  // After the question the next one is shown.
  await open(page, second);
  await age(page).fill('2');
  page.once('dialog', (question) => question.accept());
  await button(page, 'Next user').click();
  await expect(title(page)).toHaveText('Three');

  // A page that does not come is not the one before.
  await open(page, second);
  await expect(age(page)).toHaveValue('1');
  const refuse = { status: 400, json: { status: 400, message: 'not this one' } };
  await page.route('**/api/users?*page=1*', (route) => route.fulfill(refuse));
  await button(page, 'Next user').click();
  await expect(page.getByRole('alert')).toContainText('not this one');
  await expectSettled(page);
  await expect(title(page)).toHaveText('Two');
  await page.unroute('**/api/users?*page=1*');

  // The next one is shown as they are now.
  await open(page, `${second}&at=${new Date().toISOString()}`);
  await expect(card(page)).toContainText('As it was on');
  await button(page, 'Next user').click();
  await expect(title(page)).toHaveText('Three');
  await expect(card(page)).not.toContainText('As it was on');
});

test('rows that are chosen while others are changed stay chosen', async ({ page }) => {
  for (const name of ['Before', 'After']) await create({ name, country: 'Ticked', status: 'active' });
  await open(page, 'country=Ticked');
  await page.getByRole('checkbox', { name: 'Choose Before' }).check();
  const { begun, letGo } = await hold(page, '**/api/users/edits?*', 'POST');
  await button(page, 'Set status').click();
  await page.getByRole('option', { name: /^suspended/ }).click();
  await begun;
  await page.getByRole('checkbox', { name: 'Choose After' }).check();
  letGo();
  await expect(toast(page)).toContainText('Changed: 1 user');
  await expect(page.getByRole('checkbox', { name: 'Choose After' })).toBeChecked();
  await expect(page.getByRole('region', { name: 'Chosen users' })).toBeVisible();
});

test('a value is doubted also where it was taken before it was known who has it', async ({ page }) => {
  const { id } = await create({ name: 'Doubted', country: 'Doubt' });
  await open(page, `country=Doubt&user=${id}`);
  const { begun, letGo } = await hold(page, '**/counts?by=status');
  const status = card(page).getByLabel('Status', { exact: true });
  await status.pressSequentially('act');
  await begun;
  // Nothing is said of it that is not known.
  await expect(page.locator('.options:popover-open')).toHaveText('act');
  await status.press('Enter');
  await button(page, 'Save').click();
  letGo();
  await expect(card(page).locator('.doubt')).toContainText('Nobody has the status “act” yet. Is active');
  expect((await call('GET', `/api/users/${id}`)).body).not.toHaveProperty('status');
});

test('a write that is answered when another card is on its way, or there, leaves that card alone', async ({ page }) => {
  const { id: one } = await create({ name: 'One here', age: 1, country: 'Away' });
  const { id: other } = await create({ name: 'Other here', age: 5, country: 'Away' });
  for (const isRefused of [false, true]) {
    await open(page, `country=Away&user=${one}`);
    await age(page).fill(isRefused ? '3' : '2');
    if (isRefused) await call('PATCH', `/api/users/${one}`, { json: { status: 'theirs' } });
    const write = await hold(page, `**/api/users/${one}`, 'PATCH');
    const reading = await hold(page, `**/api/users/${other}`);
    await button(page, 'Save').click();
    await write.begun;
    page.once('dialog', (question) => question.accept());
    await row(page, other).click();
    await reading.begun;
    write.letGo();
    await expect(toast(page)).toContainText(isRefused ? 'Not done: somebody was faster' : 'One here was saved');
    reading.letGo();
    await expect(title(page)).toHaveText('Other here');
    await expect(age(page)).toHaveValue('5');
    await page.unrouteAll();
  }

  await open(page, `country=Away&user=${one}`);
  const removal = await hold(page, `**/api/users/${one}`, 'DELETE');
  await button(page, 'More').click();
  await button(page, 'Delete').click();
  await removal.begun;
  const reading = await hold(page, `**/api/users/${other}`);
  await row(page, other).click();
  await reading.begun;
  removal.letGo();
  await expect(toast(page)).toContainText('One here was deleted');
  reading.letGo();
  await expect(title(page)).toHaveText('Other here');
});

test('what is entered in the panel of a change of many stays when something beside it is clicked', async ({ page }) => {
  for (const name of ['First', 'Second']) await create({ name, country: 'Panel' });
  await open(page, 'country=Panel');
  await page.getByRole('checkbox', { name: 'Choose all of this page' }).check();
  await button(page, 'Change …').click();
  await page.mouse.click(20, 400);
  await expect(card(page)).toHaveCount(0);
  // The button waits until it is known whether somebody has the value.
  const { begun, letGo } = await hold(page, '**/counts?by=status');
  await button(page, 'Change …').click();
  await card(page).getByLabel('Status', { exact: true }).fill('active');
  await begun;
  await page.mouse.click(20, 400);
  await expect(card(page).getByLabel('Status', { exact: true })).toHaveValue('active');
  await button(page, 'Change 2 users').click();
  letGo();
  await expect(toast(page)).toContainText('Changed: 2 users');

  // An item that is typed stays when the way changes from one of lists to another.
  await page.getByRole('checkbox', { name: 'Choose all of this page' }).check();
  await button(page, 'Change …').click();
  await card(page).getByLabel('Field').selectOption('tags');
  await card(page).getByLabel('tags', { exact: true }).fill('one,');
  await card(page).getByLabel('How').selectOption('loses');
  await expect(button(page, 'Remove one')).toBeVisible();
  await card(page).getByLabel('How').selectOption('becomes a text');
  await expect(button(page, 'Change 2 users')).toBeDisabled();
});

test('an item that is taken off a list by a mouse stays away, and a text that was typed there becomes one', async ({
  page,
}) => {
  const { id } = await create({ name: 'Listed', country: 'Items', attributes: { tags: ['one', 'two'] } });
  const { begun, letGo } = await hold(page, `**/api/users/${id}/changes`);
  await open(page, `country=Items&user=${id}`);
  await card(page).getByLabel('tags', { exact: true }).pressSequentially('three');
  await begun;
  letGo();
  // The tabs come above the box, whose list does not stay behind.
  await expect(card(page).getByRole('tab', { name: 'History 1' })).toBeVisible();
  await button(page, 'Remove one').click();
  await expect(card(page).locator('.item bdi')).toHaveText(['two', 'three']);
});

test('a change that two looks of one moment find is counted once', async ({ page }) => {
  const { id } = await create({ name: 'Looked at', age: 1 });
  const expectKept = (text: string) =>
    expect
      .poll(async () => JSON.stringify((await call('GET', '/api/users/changes?size=1&before=now')).body), {
        timeout: 90_000,
      })
      .toContain(text);
  await expectKept('"age":1');
  await open(page, 'show=changes');
  const look = "dispatchEvent(new Event('focus')); document.dispatchEvent(new Event('visibilitychange'))";
  const first = page.waitForResponse(/changes.*after=now/);
  await page.evaluate(look);
  await first;
  await call('PATCH', `/api/users/${id}`, { json: { age: 2 } });
  await expectKept('"age":2');
  // Each waits for the other, at both of its questions.
  let found = 0;
  for (const question of ['size=1&', 'size=100&']) {
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    await page.route(
      (url) => url.pathname.endsWith('/changes') && `${url.search}&`.includes(question),
      async (route) => {
        asked++;
        if (asked === 2) resolve();
        await promise;
        const response = await route.fetch();
        await route.fulfill({ response });
        if (question === 'size=100&') found++;
      },
    );
  }
  await page.evaluate(look);
  await expect.poll(() => found).toBe(2);
  await expectSettled(page);
  await expect(button(page, '1 new: show them')).toBeVisible();
});

test('what happened is read back as far as it was, after something is taken back there', async ({ page }) => {
  // Two of a kind are a line each.
  const ids: number[] = [];
  for (let i = 0; i < 40; i++) ids.push((await create({ name: `Back ${i}`, age: 1 })).id);
  for (const id of ids) await call('PATCH', `/api/users/${id}`, { json: { age: 2 } });
  const kept = async () => {
    const { body } = await call('GET', '/api/users/changes?before=now&size=1&type=updated');
    return (body as { changes: { id: number }[] }).changes[0]?.id;
  };
  await expect.poll(kept, { timeout: 90_000 }).toBe(ids.at(-1));
  await open(page, 'type=updated&show=changes');
  const lines = page.locator('.change');
  await expect(lines).toHaveCount(30);
  await button(page, 'Show older').click();
  await expect.poll(() => lines.count()).toBeGreaterThanOrEqual(40);
  const last = lines.filter({ hasText: 'Back 0 ' });
  await last.getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText('Back 0');
  await expect(page.locator('.lines')).toHaveAttribute('aria-busy', 'false');
  await expect(last).toBeVisible();
  expect(await lines.count()).toBeGreaterThanOrEqual(40);
});

test('the card after that of a deleted user does not say that there is no such user', async ({ page }) => {
  const { id: first } = await create({ name: 'First there', country: 'Next' });
  const { id } = await create({ name: 'Gone already', country: 'Next' });
  const { id: other } = await create({ name: 'Other there', age: 5, country: 'Next' });
  await page.route(`**/api/users/${id}/changes`, (route) => route.fulfill({ json: [] }));
  await open(page, `country=Next&user=${first}`);
  await expect(title(page)).toHaveText('First there');
  await call('DELETE', `/api/users/${id}`);
  await row(page, id).click();
  await expect(card(page).getByRole('alert')).toContainText('No such user');
  const { begun, letGo } = await hold(page, `**/api/users/${other}`);
  await row(page, other).click();
  await begun;
  await expect(title(page)).toHaveText('Other there');
  await expect(card(page)).toContainText('Loading …');
  await expect(card(page).getByRole('alert')).toHaveCount(0);
  letGo();
  await expect(age(page)).toHaveValue('5');
});

test('a panel that all else waits for says itself that there is no connection', async ({ page }) => {
  await create({ name: 'Unheard', country: 'Modal' });
  await open(page, 'country=Modal');
  await page.getByRole('checkbox', { name: 'Choose all of this page' }).check();
  await page.route('**/api/users/edits?*', (route) => route.abort());
  await button(page, 'Change …').click();
  await card(page).getByLabel('Status', { exact: true }).fill('active');
  await expect(card(page).getByRole('alert')).toContainText('No answer');
});
