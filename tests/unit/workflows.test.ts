import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { LISTINGS } from '../../lib/http/listingRules.ts';
import { grantsOf, PERMISSION_WORDS } from '../../lib/tooling/deploy/permissions.ts';

const ROOT = new URL('../../', import.meta.url);
const FOLDER = new URL('.github/workflows/', ROOT);

interface Step {
  uses?: string;
  run?: string;
}
interface Job {
  needs?: string;
  if?: string;
  uses?: string;
  with?: Record<string, string>;
  environment?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { node: number[] } };
  steps?: Step[];
}
interface Policy {
  Statement: { Action: string | string[]; Condition?: object }[];
}
interface Policies {
  Policies?: { PolicyDocument: Policy }[];
  PolicyDocument?: Policy;
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const files = readdirSync(FOLDER);
const textOf = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');
const workflow = (file: string): Workflow => parse(textOf(file));

const scripts = Object.keys(JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).scripts);

describe.each(files)('workflow %s', (file) => {
  const { on, permissions, jobs } = workflow(file);
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

  test('uses actions by the hash of a commit, with the version beside it', () => {
    const uses = textOf(file).match(/uses: .*/g) ?? [];
    for (const use of uses) {
      expect(use).toMatch(
        /^uses: (\.\/\.github\/workflows\/[\w-]+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/,
      );
    }
  });

  test('may only read the repository and assume a role', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) {
      const own = job.permissions ?? { contents: 'read' };
      expect([{ contents: 'read' }, { contents: 'read', 'id-token': 'write' }]).toContainEqual(own);
      if (own['id-token']) expect(file).toMatch(/^deploy/);
    }
    expect(Object.keys(on)).not.toContain('pull_request_target');
  });

  test('has no expression in a script, where its value would be code', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  test('runs existing npm scripts', () => {
    const called = steps.flatMap(({ run = '' }) => run.match(/npm run [\w:]+/g) ?? []);
    for (const call of called) expect(scripts).toContain(call.replace('npm run ', ''));
  });
});

describe('the workflows together', () => {
  test('check pull requests once, with the Node that npm installs, and print its version', () => {
    const { on, jobs } = workflow('check.yml');
    expect(Object.keys(on)).toContain('pull_request');
    expect(jobs.test?.strategy).toBe(undefined);
    const runs = jobs.test?.steps?.flatMap(({ run }) => run ?? []);
    expect(runs).toEqual(['npm ci', "npm exec -c 'node --version'", 'npm run check']);
  });

  test('deploy dev from main and prod from tags, after the check', () => {
    const { on, jobs } = workflow('deploy.yml');
    expect(on).toEqual({ push: { branches: ['main'], tags: ['v*'] } });
    expect(jobs.check?.uses).toBe('./.github/workflows/check.yml');
    const stages = { dev: "github.ref == 'refs/heads/main'", prod: "startsWith(github.ref, 'refs/tags/v')" };
    for (const [stage, condition] of Object.entries(stages)) {
      expect(jobs[stage]).toMatchObject({
        needs: 'check',
        if: condition,
        uses: './.github/workflows/deploy-stage.yml',
        with: { stage },
      });
    }
  });

  test('deploy with the role of the environment, then run the smoke test', () => {
    const { deploy } = workflow('deploy-stage.yml').jobs;
    expect(deploy?.environment).toBe('${{ inputs.stage }}');
    const order = deploy?.steps?.map(({ uses, run }) => uses?.split('@')[0] ?? run?.split(' --')[0]) ?? [];
    const [role, deployed, tried] = [
      'aws-actions/configure-aws-credentials',
      'npx serverless deploy',
      'npm run smoke',
    ].map((step) => order.indexOf(step));
    expect([role, deployed, tried]).toEqual([role, deployed, tried].toSorted((a = 0, b = 0) => a - b));
    expect(role).toBeGreaterThan(0);
  });
});

describe('the settings of a deployment', () => {
  test('in the documentation are all passed on by the workflow', () => {
    const documented = [...readFileSync(new URL('docs/deployment.md', ROOT), 'utf8').matchAll(/^\| (`[^|]*`) \|/gm)]
      .flatMap(([, names = '']) => names.match(/[A-Z_]+/g) ?? [])
      .filter((name) => name !== 'AWS_REGION');
    expect(documented).toEqual([
      'OIDC_ISSUER',
      'OIDC_AUDIENCE',
      'OIDC_SCOPE_PREFIX',
      'CORS_ORIGINS',
      'ALARM_EMAIL',
      'PERMISSIONS_BOUNDARY',
      'USERS_TABLE',
      'DIRECTORY_TABLE',
      'USERS_STREAM',
    ]);
    for (const name of documented)
      expect(textOf('deploy-stage.yml')).toMatch(new RegExp(`${name}: \\$\\{\\{ vars.${name}`));
  });
});

describe('the role for deployments', () => {
  const text = readFileSync(new URL('docs/deploy-role.yml', ROOT), 'utf8');

  test('is for one repository and one environment', () => {
    expect(text).toContain('token.actions.githubusercontent.com:sub: !Sub repo:${Repository}:environment:${Stage}');
    expect(text).toContain('token.actions.githubusercontent.com:aud: sts.amazonaws.com');
  });

  test('has unbounded resources only if AWS has no names for them', () => {
    const statements = text.slice(text.indexOf('\n  Role:')).split('- Effect: Allow').slice(2);
    const unbounded = statements.filter((statement) => /Resource: '\*'/.test(statement));
    const [mappings, ...others] = unbounded.toSorted(
      (a, b) => Number(b.includes('Condition')) - Number(a.includes('Condition')),
    );
    expect(others.map((statement) => /Action: (\S+)/.exec(statement)?.[1])).toEqual([
      'cloudformation:ValidateTemplate',
      'logs:DescribeLogGroups',
    ]);
    expect(mappings).toMatch(
      /lambda:CreateEventSourceMapping[\s\S]*lambda:FunctionArn: !Sub '\S*:function:user-management-\$\{Stage\}-\*'/,
    );
  });

  test('may make the event sources of the template', () => {
    expect(text).toMatch(/Action: events:\*\n\s*Resource: !Sub \S*:rule\/user-management-\$\{Stage\}-\*\n/);
  });

  const { Resources } = parse(text, { logLevel: 'silent' }) as { Resources: Record<string, { Properties: Policies }> };
  const granted = (Resources.Role?.Properties.Policies ?? []).flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const grantOf = (action: string) => granted.filter(({ Action }) => [Action].flat().includes(action));

  test.each(['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary'])(
    'may use %s only within the boundary',
    (action) => {
      expect(grantOf(action).map(({ Condition }) => Condition)).toEqual([
        { StringEquals: { 'iam:PermissionsBoundary': 'Boundary' } },
      ]);
    },
  );

  test('can neither remove nor change a boundary, nor attach policies', () => {
    const actions = granted.flatMap(({ Action }) => Action).filter((action) => action.startsWith('iam:'));
    expect(actions.toSorted()).toEqual([
      'iam:CreateRole',
      'iam:CreateServiceLinkedRole',
      'iam:DeleteRole',
      'iam:DeleteRolePolicy',
      'iam:GetRole',
      'iam:GetRolePolicy',
      'iam:ListAttachedRolePolicies',
      'iam:ListRolePolicies',
      'iam:PassRole',
      'iam:PutRolePermissionsBoundary',
      'iam:PutRolePolicy',
      'iam:TagRole',
      'iam:UntagRole',
      'iam:UpdateAssumeRolePolicy',
    ]);
  });

  test('may let API Gateway make its own role, which the first API of an account needs', () => {
    expect(grantOf('iam:CreateServiceLinkedRole').map(({ Condition }) => Condition)).toEqual([
      { StringEquals: { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' } },
    ]);
  });

  test('limits functions to their permissions, logs and traces', () => {
    const bounded = Resources.Boundary?.Properties.PolicyDocument?.Statement.flatMap(({ Action }) => Action);
    const asked = Object.keys(LISTINGS).flatMap((name) => grantsOf(name, PERMISSION_WORDS));
    expect(bounded?.toSorted()).toEqual(
      [
        ...new Set(asked.map((grant) => `dynamodb:${grant.split(' ')[0]}`)),
        'logs:CreateLogStream',
        'logs:PutLogEvents',
        'xray:PutTelemetryRecords',
        'xray:PutTraceSegments',
      ].sort(),
    );
  });
});
