import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectCopy } from '../projectCopy.ts';
import { accountAt } from './account.ts';
import { AUDIENCE, type Issuer } from './issuer.ts';
import { ownerOf } from './owner.ts';
import { CREDENTIALS, REGION, type StandIn, withoutAws } from './standIn.ts';

export type Settings = Record<string, string>;

/** How a program ended, and all that it printed. */
export interface Ending {
  isWell: boolean;
  said: string;
}

export const runNode = (options: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Ending> =>
  new Promise((resolve) => {
    const end = (error: Error | null, ...said: string[]) => resolve({ isWell: error === null, said: said.join('') });
    execFile(process.execPath, options, { cwd, env }, end);
  });

/** Prepares a version: its issuer and its domain have no https, its stages have all that they can have, and nothing waits. */
export function prepared(copy: ProjectCopy): ProjectCopy {
  copy.replace('tools/program/secure.ts', "'https:'", "'http:'");
  copy.replace('tools/operate/lists.ts', "'https:'", "'http:'");
  copy.replace('tools/deploy/search.ts', "'https://'", "'http://'");
  copy.replace('serverless.yml', 'events: false', 'events: true');
  copy.replace('serverless.yml', 'uniqueEmails: false', 'uniqueEmails: true');
  // Entries of the journal are folded at once.
  copy.replace('serverless.yml', 'minimumAge: 2000', 'minimumAge: 0');
  copy.replace('serverless.yml', 'MINIMUM_AGE_MS:', 'JOURNAL_REST_MS: 0, MINIMUM_AGE_MS:');
  // A version is everywhere at once, so a test that fails fails again.
  copy.replace('tools/operate/deployment.ts', '_MS = 30_000', '_MS = 0');
  return copy;
}

/** The servers, clients and files that the steps of a rehearsal share. */
export type Rehearsal = ReturnType<typeof rehearsalWith>;

/** @param shell a copy of the project that is deployed where no function runs */
export function rehearsalWith({ endpoint, refusals }: StandIn, { sign, url }: Issuer, shell: ProjectCopy) {
  const env: NodeJS.ProcessEnv = {
    ...withoutAws(),
    ...CREDENTIALS,
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: REGION,
    // Milliseconds between looks at a deployment. The stand-in answers at once.
    SLS_AWS_MONITORING_FREQUENCY: '200',
    OIDC_ISSUER: url,
    OIDC_AUDIENCE: AUDIENCE,
    ALARM_EMAIL: 'ops@example.com',
  };
  const node = (options: string, settings: Settings = {}, folder = shell.root) =>
    runNode(options.split(' '), { ...env, ...settings }, folder);
  return {
    account: accountAt(endpoint),
    owner: ownerOf(endpoint),
    endpoint,
    issuer: url,
    refusals,
    /** A token of the issuer. */
    token: (...scopes: string[]) => sign({ scope: scopes.join(' ') }),
    /** Any program of the project. */
    node,
    /** Another version of the project may be in another folder. */
    serverless: (options: string, settings?: Settings, folder?: string) =>
      node(`node_modules/serverless/bin/serverless.js ${options}`, settings, folder),
    /** From now on programs have a role, by a token of GitHub. */
    async assume(AWS_ROLE_ARN: string, sub: string): Promise<void> {
      const AWS_WEB_IDENTITY_TOKEN_FILE = join(shell.root, 'token');
      const iss = 'https://token.actions.githubusercontent.com';
      writeFileSync(AWS_WEB_IDENTITY_TOKEN_FILE, await sign({ iss, sub, aud: 'sts.amazonaws.com' }));
      for (const name of Object.keys(CREDENTIALS)) delete env[name];
      Object.assign(env, { AWS_ROLE_ARN, AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_SESSION_NAME: 'deployment' });
    },
  };
}
