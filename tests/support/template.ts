import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { ROUTES } from '../../lib/http/routes.ts';
import { grantsOf as meaningOf } from '../../lib/tooling/deploy/permissions.ts';
import { copyShell } from '../../lib/tooling/projectCopy.ts';
import { wordsOf } from './bundles.ts';

export interface Resource {
  Type: string;
  DeletionPolicy?: string;
  Properties: Record<string, unknown>;
}
export type Template = Record<string, Resource>;
export interface Statement {
  Action: string[];
  Resource: unknown[] | string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const STAGES = ['dev', 'staging', 'prod'] as const;
export const folder = mkdtempSync(join(tmpdir(), 'package-'));

export const templates = {} as Record<(typeof STAGES)[number], Template>;

export const ISSUER = { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'users' };

/** The settings of each deployment. Stage dev is open, as it may be. */
export const SETTINGS: Record<(typeof STAGES)[number], Record<string, string>> = {
  dev: { OIDC_ISSUER: 'none' },
  staging: ISSUER,
  prod: { ...ISSUER, CORS_ORIGINS: 'https://a.example https://b.example' },
};

export const packageProgram = (stage: string, target: string) => [
  'node_modules/serverless/bin/serverless.js',
  'package',
  '--stage',
  stage,
  '--package',
  target,
];

/** What packaging printed, by stage. */
export const printed: Record<string, string> = {};

/** Packages a stage with the environment of a pipeline that has no credentials. */
export function packageStage(stage: string, settings: Record<string, string>, root: string): Template {
  const target = join(folder, stage);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));
  const run = spawnSync(process.execPath, packageProgram(stage, target), {
    cwd: root,
    env: { ...env, ...settings },
    encoding: 'utf8',
  });
  printed[stage] = `${run.stdout}${run.stderr}`;
  if (run.status !== 0) throw new Error(printed[stage]);
  return JSON.parse(readFileSync(join(target, 'cloudformation-template-update-stack.json'), 'utf8')).Resources;
}

export const shell = copyShell();

/**
 * Packages all stages before the tests of a file, and removes the results after them.
 *
 * @param bundled whether stage dev has the real functions. Only one file at a time can package in the folder of the project
 */
export function packageBeforeAll(bundled = false): void {
  beforeAll(() => {
    for (const stage of STAGES) {
      const root = bundled && stage === 'dev' ? ROOT : shell.root;
      templates[stage] = packageStage(stage, SETTINGS[stage], root);
    }
  });

  afterAll(() => {
    shell.remove();
    rmSync(folder, { recursive: true });
  });
}

export const ofType = (template: Template, type: string): [string, Resource][] =>
  Object.entries(template).filter(([, { Type }]) => Type === type);

/** The names of all functions. An open stage has no authorizer. */
export const functionsOf = (stage: string): string[] => [
  ...ROUTES.map(({ operation }) => operation),
  'unknownRoute',
  'fold',
  ...(stage === 'dev' ? [] : ['authorizer']),
];

export const only = (template: Template, type: string): Resource => ofType(template, type)[0]?.[1] as Resource;

export function statementsOf(template: Template, operation: string): Statement[] {
  const role = template[`${operation.charAt(0).toUpperCase()}${operation.slice(1)}Role`];
  const policies = role?.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[] | undefined;
  return policies?.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? [];
}

/** `action resource`, only for tables and indexes. */
export const grantsOf = (template: Template, operation: string): string[] =>
  statementsOf(template, operation)
    .flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => [Resource].flat().map((arn) => `${action} ${JSON.stringify(arn)}`)),
    )
    .filter((grant) => grant.startsWith('dynamodb:'))
    .map((grant) =>
      grant
        .replace(
          /\{"Fn::Sub":"arn:\$\{AWS::Partition\}:dynamodb:\$\{AWS::Region\}:\$\{AWS::AccountId\}:table\/([^"]*)"\}/,
          '$1',
        )
        .replace(/user-management-\w+-users\/index\//, '')
        .replace(/user-management-\w+-users$/, 'UsersTable')
        .replace(/user-management-\w+-directory$/, 'DirectoryTable'),
    )
    .sort();

export const on = (table: string, ...actions: string[]) => actions.map((action) => `dynamodb:${action} ${table}`);

export const READ_STREAM = on(
  '{"Fn::GetAtt":["UsersTable","StreamArn"]}',
  'DescribeStream',
  'GetRecords',
  'GetShardIterator',
  'ListStreams',
);

/** The grants that the words of a function in serverless.yml stand for, written as in `grantsOf`. */
export const grantsInWords = (name: string): string[] =>
  [
    ...meaningOf(name, wordsOf(name))
      .filter((grant) => !grant.endsWith(' stream'))
      .map((grant) => `dynamodb:${grant}`)
      .map((grant) =>
        grant
          .replace('users/index/', '')
          .replace(/users$/, 'UsersTable')
          .replace(/directory$/, 'DirectoryTable'),
      ),
    ...(wordsOf(name).includes('readStream') ? READ_STREAM : []),
  ].sort();

/** Memory and timeout that differ from 512 MB and 15 s: functions that work on many users have a whole processor. */
export const SIZES: Record<string, object> = {
  listUsers: { MemorySize: 1769 },
  listUsersByCursor: { MemorySize: 1769 },
  searchUsers: { MemorySize: 1769 },
  listAllUsers: { MemorySize: 1769, Timeout: 900 },
  fold: { MemorySize: 1769, Timeout: 90 },
};

export const schedulesOf = (template: Template) =>
  ofType(template, 'AWS::Events::Rule').map(([, { Properties }]) => Properties.ScheduleExpression);

export interface Method {
  HttpMethod: string;
  AuthorizationType: string;
  ResourceId: { Ref: string };
}

/** `METHOD path` of the methods that need a token. */
export function guardedMethods(template: Template): string[] {
  const methods = ofType(template, 'AWS::ApiGateway::Method').map(
    ([, { Properties }]) => Properties as object as Method,
  );
  return methods
    .filter(({ AuthorizationType }) => AuthorizationType === 'CUSTOM')
    .map(({ HttpMethod, ResourceId }) => `${HttpMethod} ${pathOf(template, ResourceId.Ref)}`)
    .sort();
}

export function pathOf(template: Template, resource: string): string {
  const { PathPart, ParentId } = (template[resource] as Resource).Properties as {
    PathPart: string;
    ParentId: { Ref?: string };
  };
  return `${ParentId.Ref ? pathOf(template, ParentId.Ref) : ''}/${PathPart}`;
}
