import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inParallel } from '../../lib/parallel.ts';
import { question, userFields } from '../support/arbitraries.ts';
import { startGate } from '../support/gate.ts';
import { type Call, caller, createOver, type LocalService } from '../support/httpService.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from '../support/issuer.ts';
import type { ModelQuery, ModelUser } from '../support/model.ts';
import { folderForTest, moving, startMoving } from '../support/moving.ts';
import { serviceOn } from '../support/service.ts';

const SEED = 20_261_122;

let services: [LocalService, LocalService];
let source: Call;
let target: Call;
let urls: readonly string[];

beforeAll(async () => {
  const start = () => serviceOn.http({ env: { JOURNAL_REST_MS: '0' } });
  services = await Promise.all([start(), start()]);
  const [from, to] = services;
  [source, target] = [caller(from.url), caller(to.url)];
  urls = ['--from', from.url, '--to', `${to.url}/`];
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
});

const everybody = async (call: Call) => (await call('GET', '/api/users/all')).body as ModelUser[];

const countOf = async (call: Call): Promise<number> =>
  ((await call('GET', '/api/users?size=1')).body as { totalElements: number }).totalElements;

const create = async (call: Call, fields: object) => (await createOver(call)(fields)).id;

/** Creates, changes, deletes and restores users of the source, one after another, until it is stopped. */
function startWriter(ids: readonly number[]) {
  const people = fc.sample(userFields, { numRuns: 200, seed: SEED + 1 });
  const present = [...ids];
  const gone: number[] = [];
  let [isStopped, writes] = [false, 0];
  async function step(): Promise<void> {
    const fields = people[writes % people.length] ?? { name: 'x' };
    const index = (writes * 7919) % Math.max(1, present.length);
    const id = present[index] ?? 0;
    const kind = present.length === 0 ? 0 : writes % 5;
    writes++;
    if (kind === 0) present.push(await create(source, fields));
    if (kind === 1) await source('PATCH', `/api/users/${id}`, { json: { age: writes, lastName: null } });
    if (kind === 2) await source('PUT', `/api/users/${id}`, { json: fields });
    if (kind === 3) {
      await source('DELETE', `/api/users/${id}`);
      gone.push(...present.splice(index, 1));
    }
    const back = kind === 4 ? gone.shift() : undefined;
    if (back !== undefined) {
      const headers = { 'If-None-Match': '*' };
      expect((await source('PUT', `/api/users/${back}`, { json: fields, headers })).status).toBe(201);
      present.push(back);
    }
  }
  const ended = (async () => {
    while (!isStopped) {
      await step();
      await setTimeout(5);
    }
  })();
  return {
    writes: () => writes,
    stop: () => {
      isStopped = true;
      return ended;
    },
  };
}

const pathOf = ({ sort, ...asked }: ModelQuery): string => {
  const query = new URLSearchParams();
  for (const { property, direction } of sort) query.append('sort', `${property},${direction}`);
  for (const [name, value] of Object.entries(asked)) for (const each of [value].flat()) query.append(name, `${each}`);
  return `/api/users?${query}`;
};

describe('npm run copy', () => {
  test('copies users who are written all the time, goes on after it was killed, and then both services answer the same', async () => {
    const people = fc.sample(userFields, { numRuns: 400, seed: SEED });
    const ids = await inParallel(people, 8, (fields) => create(source, fields));
    const state = join(folderForTest(), 'copy.json');
    const options = [...urls, '--state', state, '--parallel', '4'];
    const writer = startWriter(ids);
    const first = startMoving('copy', options);
    await expect.poll(() => countOf(target), { interval: 20 }).toBeGreaterThan(60);
    first.child.kill('SIGKILL');
    expect((await first.ended).code).toBe(null);
    expect(await countOf(target)).toBeLessThan(350);
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ phase: 'users', after: expect.any(String) });

    const second = startMoving('copy', options);
    const readPhase = () => JSON.parse(readFileSync(state, 'utf8')).phase;
    await expect.poll(readPhase, { interval: 20 }).toBe('changes');
    await setTimeout(3_000);
    await writer.stop();
    expect(writer.writes()).toBeGreaterThan(100);
    const { code, stdout, stderr } = await second.ended;
    const [, users, sum] = /^Source: (\d+) users, checksum ([0-9a-f]{16})$/m.exec(stdout) ?? [];
    const sentences = ['Source', 'Target'].map((side) => `${side}: ${users} users, checksum ${sum}\n`);
    expect([code, stdout], stderr).toEqual([0, `${sentences.join('')}Both have the same users\n`]);
    // It did not have to compare all users.
    expect(stderr).not.toContain('They differ');

    const all = await everybody(source);
    expect(all.length).toBe(Number(users));
    expect(await everybody(target)).toEqual(all);
    const questions = fc.sample(question, { numRuns: 150, seed: SEED });
    await inParallel(questions, 8, async (ask) => {
      const path = pathOf(ask(all));
      const [asked, copied] = await Promise.all([source('GET', path), target('GET', path)]);
      expect([path, copied.status, copied.body]).toEqual([path, asked.status, asked.body]);
    });

    // Somebody writes to the target. Another run finds out, although nothing has changed at the source.
    await target('PATCH', `/api/users/${all[0]?.id}`, { json: { age: 4_711 } });
    await target('DELETE', `/api/users/${all[1]?.id}`);
    await create(target, { name: 'Only here' });
    const changed = await everybody(target);
    expect(await moving('copy', options)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The copy had ended, and the target has changed since. With --replace'),
    });
    expect(await everybody(target)).toEqual(changed);
    const third = await moving('copy', [...options, '--replace']);
    expect(third).toMatchObject({ code: 0, stderr: expect.stringContaining('They differ. All users are compared') });
    expect(await everybody(target)).toEqual(all);
  });

  test('with --follow goes on until Ctrl-C, and says when both agree and whether they differ at the end', async () => {
    const options = [...urls, '--state', join(folderForTest(), 'copy.json'), '--replace'];
    const start = () => {
      const { child, ended } = startMoving('copy', [...options, '--follow']);
      let said = '';
      child.stderr?.on('data', (chunk) => (said += chunk));
      const interrupt = () => {
        child.kill('SIGINT');
        return ended;
      };
      const agreements = () => said.split('Both agree since').length - 1;
      return { interrupt, untilAgreement: (n: number) => expect.poll(agreements, { interval: 50 }).toBe(n) };
    };
    const first = start();
    await first.untilAgreement(1);
    const id = await create(source, { name: 'Late' });
    const copied = async () => (await target('GET', `/api/users/${id}`)).status;
    await expect.poll(copied, { interval: 100 }).toBe(200);
    await first.untilAgreement(2);
    await source('DELETE', `/api/users/${id}`);
    expect(await first.interrupt()).toMatchObject({ code: 0, stdout: expect.stringContaining('Both have the same') });
    expect(await copied()).toBe(404);

    const second = start();
    await second.untilAgreement(1);
    await create(target, { name: 'Only here' });
    expect(await second.interrupt()).toMatchObject({ code: 1, stdout: expect.stringMatching(/\nThey differ\n$/) });
    expect(await moving('copy', options)).toMatchObject({ code: 0, stdout: expect.stringContaining('Both have') });
    expect(await everybody(target)).toEqual(await everybody(source));
  });

  test('reads all users again when changes are no longer kept, and deletes users whom the source does not have', async () => {
    const state = join(folderForTest(), 'copy.json');
    const run = () => moving('copy', [...urls, '--state', state, '--replace']);
    expect((await run()).code).toBe(0);
    const kept = JSON.parse(readFileSync(state, 'utf8'));
    const [gone] = await everybody(source);
    await source('DELETE', `/api/users/${gone?.id}`);
    await create(target, { name: 'Only here' });
    writeFileSync(state, JSON.stringify({ ...kept, after: 'zz-1-0-1' }));
    expect(await run()).toMatchObject({ code: 0, stderr: expect.stringContaining('no longer keeps what changed') });
    expect(await everybody(target)).toEqual(await everybody(source));
  });

  test('refuses a target with users, the same service twice, and the state of another copy', async () => {
    const [from, to] = services;
    const state = ['--state', join(folderForTest(), 'copy.json')];
    const alias = from.url.replace('localhost', '127.0.0.1');
    const refusal = async (...options: string[]) => {
      const { code, stderr } = await moving('copy', options);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await countOf(target)).toBeGreaterThan(0);
    expect(await refusal(...urls, ...state)).toMatch(/^The target has \d+ users already\. With --replace/);
    expect(await refusal('--from', from.url, '--to', `${from.url}/`)).toBe('--from and --to are the same service\n');
    expect(await refusal('--from', from.url, '--to', alias, ...state, '--replace')).toMatch(
      /^--from and --to are the same service, or/,
    );
    expect((await moving('copy', [...urls, ...state, '--replace'])).code).toBe(0);
    expect(await refusal('--from', to.url, '--to', from.url, ...state)).toContain(
      `is the state of a copy from ${from.url} to`,
    );
    expect(await refusal()).toMatch(/^Usage: npm run copy/);
  });
});

describe('a service that needs tokens and keeps no changes', () => {
  let closed: LocalService;
  let issuer: TestIssuer;

  beforeAll(async () => {
    issuer = await startIssuer();
    const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE };
    closed = await serviceOn.http({ env, options: ['--param', 'historyDays=0'] });
  });

  afterAll(async () => {
    await closed.stop();
    await issuer.stop();
  });

  test.each([
    ['restoreUser', '', 'The service asks for a token: give it one with --token\n'],
    ['restoreUser', 'users:write', 'The service responded with 403: '],
    ['restoreUser', 'users:read users:write', 'The service responded with 403: '],
    [
      'restoreUser',
      'users:read users:write users:audit',
      'The service responded with 404: Changes are not kept here: use --from',
    ],
    ['copy', '', 'The service asks for a token: give it one with --from-token\n'],
    ['copy', 'users:read', 'The source responded with 403: '],
    ['copy', 'users:read users:audit', 'The source responded with 404: Changes are not kept here: without them,'],
  ] as const)('lets %s do nothing with a token for the scope "%s"', async (command, scope, sentence) => {
    const token = scope === '' ? [] : [await issuer.sign({ scope })];
    const state = join(folderForTest(), 'copy.json');
    const options =
      command === 'copy'
        ? ['--from', closed.url, '--to', services[1].url, '--state', state, '--replace']
        : ['--url', closed.url, '--id', '7'];
    const given = token.flatMap((each) => [command === 'copy' ? '--from-token' : '--token', each]);
    const refused = await moving(command, [...options, ...given]);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(existsSync(state)).toBe(false);
  });

  test('gives a user to another service, and takes one', async () => {
    const token = await issuer.sign({ scope: 'users:read users:write' });
    const id = await create(source, { name: 'Di', lastName: '' });
    const { body } = await source('GET', `/api/users/${id}`);
    const take = (wanted: number) => {
      const options = ['--url', closed.url, '--token', token, '--id', `${wanted}`, '--from', services[0].url];
      return moving('restoreUser', options);
    };
    const taken = await take(id);
    expect([taken.code, JSON.parse(taken.stdout)]).toEqual([0, body]);
    expect(await take(id)).toMatchObject({ code: 1, stderr: `User ${id} is there: nothing was done\n` });
    expect(await take(7)).toEqual({ code: 1, stdout: '', stderr: 'The other service has no user 7\n' });
    await source('DELETE', `/api/users/${id}`);
    const here = ['--url', services[0].url, '--id', `${id}`, '--from', closed.url];
    expect(await moving('restoreUser', here)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from-token'),
    });
    expect((await moving('restoreUser', [...here, '--from-token', token])).code).toBe(0);
    expect((await source('GET', `/api/users/${id}`)).body).toEqual(body);
  });
});

/** After the user, who is gone, and the changes. */
const FIRST_PUT = 3;

describe('npm run restore-user', () => {
  const restore = (...options: string[]) => moving('restoreUser', ['--url', services[0].url, ...options]);

  test('brings a user back as it was when it was deleted, with its id and createdAt', async () => {
    const id = await create(source, { name: '=Ann', age: 1, country: 'DE' });
    await source('PATCH', `/api/users/${id}`, { json: { age: 2, country: null } });
    const { body } = await source('GET', `/api/users/${id}`);
    await source('DELETE', `/api/users/${id}`);
    const { code, stdout } = await restore('--id', `${id}`);
    expect([code, JSON.parse(stdout)]).toEqual([0, body]);
    expect((await source('GET', `/api/users/${id}`)).body).toEqual(body);
    const stderr = `User ${id} is there: nothing was done\n`;
    expect(await restore('--id', `${id}`)).toEqual({ code: 1, stdout: '', stderr });
  });

  test.each([
    { title: 'brings a user back, and says so, when the first answer is lost', age: 3, code: 0 },
    { title: 'says that a user is there whom somebody else has just brought back', age: 4, code: 1 },
  ])('$title', async ({ age, code }) => {
    const id = await create(source, { name: 'Eve', age: 3 });
    const { body } = await source('GET', `/api/users/${id}`);
    await source('DELETE', `/api/users/${id}`);
    const gate = await startGate(services[0].url, {
      async before(count) {
        if (count === FIRST_PUT && age !== 3)
          await source('PUT', `/api/users/${id}`, { json: { name: 'Eve', age }, headers: { 'if-none-match': '*' } });
      },
      fateOf: (count) => (count === FIRST_PUT ? 'lost' : undefined),
    });
    const { stdout, stderr, ...ended } = await moving('restoreUser', ['--url', gate.url, '--id', `${id}`]).finally(
      gate.close,
    );
    expect(gate.passed.map(({ request }) => request.split(' ')[0])).toEqual(['GET', 'GET', 'PUT', 'PUT', 'GET']);
    expect(ended.code).toBe(code);
    if (code === 0) expect(JSON.parse(stdout)).toEqual(body);
    else expect(stderr).toBe(`User ${id} is there: nothing was done\n`);
  });

  test('says that nothing is kept of a user who never existed or was erased', async () => {
    const id = await create(source, { name: 'Cy' });
    await source('DELETE', `/api/users/${id}`);
    await source('DELETE', `/api/users/${id}/changes`);
    for (const each of [id, 7]) {
      expect(await restore('--id', `${each}`)).toEqual({
        code: 1,
        stdout: '',
        stderr: `Nothing is kept of user ${each}: it never was, was erased, or was deleted too long ago\n`,
      });
    }
  });

  test.each([[], ['--id', '0'], ['--id', '9007199254740993'], ['--id', '7', '--from', 'x']])(
    'shows its usage for %s %s',
    async (...options) => {
      expect(await restore(...options)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^Usage: npm run restore/),
      });
    },
  );
});
