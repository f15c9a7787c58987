import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { ROUTES } from '../../lib/http/routes.ts';
import { copyShell } from '../../tools/check/projectCopy.ts';
import { ofType, type Resource, type Resources } from '../../tools/deploy/resource.ts';

export type Template = Resources;
export interface Statement {
  Action: string[];
  Resource: unknown[] | string;
}

/** A copy of the project with empty functions, and a folder for what is packaged. Both go with the test file. */
export const shell = copyShell();
export const folder = mkdtempSync(join(tmpdir(), 'package-'));

afterAll(() => {
  shell.remove();
  rmSync(folder, { recursive: true });
});

export const ISSUER = { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'users' };

/** Runs `serverless package` with the environment of a pipeline that has no credentials. */
export function tryToPackage(stage: string, settings: Record<string, string>, root = shell.root) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));
  const options = ['package', '--stage', stage, '--package', join(folder, stage)];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/serverless/bin/serverless.js', ...options],
    { cwd: root, env: { ...env, ...settings }, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

export function packageStage(...stage: Parameters<typeof tryToPackage>): { template: Template; printed: string } {
  const { status, stdout, stderr } = tryToPackage(...stage);
  if (status !== 0) throw new Error(stdout + stderr);
  const file = join(folder, stage[0], 'cloudformation-template-update-stack.json');
  return { template: JSON.parse(readFileSync(file, 'utf8')).Resources, printed: stdout + stderr };
}

/** The properties of all resources of a type. */
export const propertiesOf = (template: Template, type: string) =>
  ofType(template, type).map(([, { Properties }]) => Properties);

export const only = (template: Template, type: string): Resource => ofType(template, type)[0]?.[1] as Resource;

export const schedulesOf = (template: Template) =>
  propertiesOf(template, 'Events::Rule').map(({ ScheduleExpression }) => ScheduleExpression);

/** The functions that a stage must have, sorted. An open stage has no authorizer. */
export const functionsOf = (isOpen: boolean): string[] =>
  [...ROUTES.map(({ operation }) => operation), 'unknownRoute', 'fold', ...(isOpen ? [] : ['authorizer'])].sort();

/** The functions that a template has, sorted. */
export const functionsIn = (template: Template): string[] =>
  propertiesOf(template, 'Lambda::Function')
    .map(({ FunctionName }) => String(FunctionName).replace(/^user-management-\w+-/, ''))
    .sort();

export function statementsOf(template: Template, operation: string): Statement[] {
  const role = template[`${operation.charAt(0).toUpperCase()}${operation.slice(1)}Role`];
  const policies = role?.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[] | undefined;
  return policies?.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? [];
}

const TABLE = /\{"Fn::Sub":"arn:\$\{AWS::Partition\}:dynamodb:\$\{AWS::Region\}:\$\{AWS::AccountId\}:table\/([^"]*)"\}/;

/** `action resource`, only for tables, indexes and streams, as in the words of tools/deploy/permissions.ts. */
export const grantsOf = (template: Template, operation: string): string[] =>
  statementsOf(template, operation)
    .flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => [Resource].flat().map((resource) => `${action} ${JSON.stringify(resource)}`)),
    )
    .filter((grant) => grant.startsWith('dynamodb:'))
    .map((grant) =>
      grant
        .replace('dynamodb:', '')
        .replace(TABLE, '$1')
        .replace('{"Fn::GetAtt":["UsersTable","StreamArn"]}', 'stream')
        .replace(/user-management-\w+-/, ''),
    )
    .sort();
