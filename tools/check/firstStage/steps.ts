import { equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concurrencyOf, refusalOfAccount } from '../../deploy/account.ts';
import { versionIn } from '../../operate/stages.ts';
import { copyProject, type ProjectCopy } from '../projectCopy.ts';
import { type Opened, openDoors } from '../rehearsal/doors.ts';
import type { Settings } from '../rehearsal/rehearsal.ts';
import { expectRefusal, expectWell, LESS } from '../rehearsal/steps.ts';
import { billOf } from './bill.ts';

/** A throw-away stage, where it is, and the settings with which programs reach it. */
export interface FirstStage extends Opened {
  stage: string;
  region: string;
  /** The environment of a deployment, with the client at the issuer. */
  settings: () => Promise<Settings>;
  /** The environment of a door. */
  doorSettings: () => Promise<Settings>;
  /** A copy of the project that can be deployed there. */
  prepare: (copy: ProjectCopy) => ProjectCopy;
  /** Programs before the first deployment, where a stage has no address before it is there. */
  before: readonly string[];
  /** Turns point-in-time recovery on where a template does not do that. */
  keepPast: () => Promise<void>;
  /** Doors besides those that the rehearsal opens, with the options of their deployment. */
  moreDoors: () => Promise<readonly string[]>;
  /** For how many minutes Firehose may gather what it writes. */
  patience: number;
}

const IMPORTED = 1_000;

/** Users as a system of somebody exports them, of whom each has an address of its own. */
const people = (): string =>
  [
    'externalId,name,email,status',
    ...Array.from({ length: IMPORTED }, (_, n) => `first-${n},User ${n},user${n}@example.com,active`),
  ].join('\n');

/** The last line that a program printed. */
const lastLine = (said: string): string => said.trim().split('\n').at(-1) ?? '';

/** The program that deploys. Where a stage cannot be reached by its own address, it is named another one. */
async function deployment({ account, before, region, stage }: FirstStage): Promise<string> {
  const url = before.length > 0 ? ` --url ${await account.addressOf(stage)}` : '';
  return `tools/operate/deploy.ts --stage ${stage} --region ${region}${url}`;
}

async function importAll(first: FirstStage): Promise<string> {
  const { account, node, settings, stage, token } = first;
  const folder = mkdtempSync(join(tmpdir(), 'people-'));
  const file = join(folder, 'people.csv');
  writeFileSync(file, people());
  const url = await account.addressOf(stage);
  const ending = await node(`tools/import/import.ts --url ${url} --file ${file} --by externalId`, await settings());
  rmSync(folder, { recursive: true });
  expectWell(ending);
  const headers = { authorization: `Bearer ${await token('users:read')}` };
  const listed = await fetch(`${url}/api/users/counts?by=status`, { headers });
  const { total } = (await listed.json()) as { total: number };
  equal(total, IMPORTED);
  return `A list counts ${IMPORTED.toLocaleString('en-US')} users. ${lastLine(ending.said)}`;
}

async function rollBack(first: FirstStage): Promise<string> {
  const { account, node, prepare, refusals, settings, stage } = first;
  const before = versionIn(await account.template(stage));
  const version = prepare(copyProject());
  version.replace('serverless.yml', ...LESS);
  const ending = await node(await deployment(first), await settings(), version.root).finally(version.remove);
  expectRefusal(ending, `It runs the version of ${before} again, which passes the test.`);
  equal(versionIn(await account.template(stage)), before);
  // The version that lacks a permission was refused, as it must be.
  refusals();
  return lastLine(ending.said);
}

/** Each step continues where the one before has ended, and says what it saw. */
export const STEPS: Record<string, (first: FirstStage) => Promise<string>> = {
  'the account is asked what a first deployment would meet': async ({ account, region, stage }) => {
    const { warning } = await concurrencyOf(account.config, region, {});
    const refusal = await refusalOfAccount(account.config, region);
    if (refusal !== undefined)
      await account.makeStack('tools/deploy/stacks/account.yml', {}, `user-management-${stage}-account`);
    return [warning ?? 'It runs enough functions at once.', refusal && 'API Gateway got a role for logs.']
      .filter(Boolean)
      .join(' ');
  },
  'the stage is deployed, and passes the smoke test': async (first) => {
    for (const program of first.before) expectWell(await first.node(program, await first.settings()));
    const ending = await first.node(await deployment(first), await first.settings());
    expectWell(ending);
    return lastLine(ending.said);
  },
  'the smoke test passes once more, by itself': async ({ account, node, settings, stage }) => {
    const ending = await node(`tools/operate/smoke.ts ${await account.addressOf(stage)}`, await settings());
    expectWell(ending);
    return ending.said.trim().replaceAll(/^/gm, '- ');
  },
  'a thousand users are imported, and a list counts them': importAll,
  'a version that lacks a permission is rolled back': rollBack,
  'a restore is drilled': async ({ keepPast, node, region, settings, stage }) => {
    await keepPast();
    const ending = await node(`tools/operate/drill.ts --stage ${stage} --region ${region}`, await settings());
    expectWell(ending);
    return lastLine(ending.said);
  },
  'each door is deployed, and opened': async (first) => {
    await openDoors(first, first.stage, await first.doorSettings(), first.patience);
    const more = await first.moreDoors();
    for (const options of more) {
      const program = `tools/doors/door.ts ${options} --deploy --stage ${first.stage} --region ${first.region}`;
      expectWell(await first.node(program, await first.doorSettings()));
    }
    return `scim, agents, retention and audit were opened; ${more.map((each) => each.split(' ')[0]).join(', ')} were deployed.`;
  },
  'the metrics of the bill are asked': async ({ account, stage }) => {
    const bill = await billOf(account.config, stage);
    ok(bill.includes('requests of API Gateway'));
    return bill;
  },
};
