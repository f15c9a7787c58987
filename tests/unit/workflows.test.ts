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

/** Patterns of branches and tags: only the parts of https://docs.github.com/actions/reference/workflow-syntax-for-github-actions that are used here. */
const matches = (pattern: string, name: string) =>
  new RegExp(`^${pattern.replaceAll('.', '\\.')}$`).test(name) && !/[*?!]/.test(pattern);

/** An expression about the ref alone, which is written like one of JavaScript. */
const holds = (expression: string, ref: string): boolean =>
  new Function('github', 'startsWith', 'contains', `return ${expression.replace(/ == /g, ' === ')}`)(
    { ref },
    (text: string, start: string) => text.startsWith(start),
    (text: string, part: string) => text.includes(part),
  );

/** The stages that a push deploys. */
function deployedFrom(ref: string): string[] {
  const { on, jobs } = workflow('deploy.yml');
  const { branches, tags, ...others } = on.push as Record<'branches' | 'tags', string[]>;
  expect([Object.keys(on), others]).toEqual([['push'], {}]);
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
  if (!(kind === 'heads' ? branches : tags).some((pattern) => matches(pattern, name))) return [];
  return Object.entries(jobs).flatMap(([stage, job]) => (job.if !== undefined && holds(job.if, ref) ? [stage] : []));
}

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
  test('check pull requests with the oldest and the newest Node that is supported', () => {
    const { on, jobs } = workflow('check.yml');
    expect(Object.keys(on)).toContain('pull_request');
    expect(jobs.test?.strategy?.matrix.node).toEqual([22, 24]);
    expect(jobs.test?.steps?.map(({ run }) => run)).toContain('npm run check');
  });

  test('refuse packages with known vulnerabilities, before a change lands and before it is deployed', () => {
    expect(workflow('check.yml').jobs.audit?.steps?.map(({ run }) => run)).toContain('npm audit --omit=dev');
  });

  test('deploy each stage after the check', () => {
    const { jobs } = workflow('deploy.yml');
    expect(jobs.check?.uses).toBe('./.github/workflows/check.yml');
    const { check: _, ...stages } = jobs;
    expect(Object.keys(stages)).toEqual(['dev', 'staging', 'prod']);
    for (const [stage, job] of Object.entries(stages)) {
      expect(job).toMatchObject({ needs: 'check', uses: './.github/workflows/deploy-stage.yml', with: { stage } });
    }
  });

  test.each([
    ['refs/heads/main', ['dev']],
    ['refs/tags/v1.2.0-rc.1', ['staging']],
    ['refs/tags/v10.20.30-rc.12', ['staging']],
    ['refs/tags/v1.2.0', ['prod']],
    ['refs/tags/v10.20.30', ['prod']],
    ['refs/heads/v1.2.0', []],
    ['refs/heads/feature', []],
    ['refs/tags/main', []],
    ['refs/tags/v1.2', []],
    ['refs/tags/v1.2.0-beta.1', []],
    ['refs/tags/v1.2.0-rc', []],
    ['refs/tags/v1.2.0-rc.1-2', []],
    ['refs/tags/v1.2.0.1', []],
    ['refs/tags/x-v1.2.0', []],
    ['refs/tags/v1x2x0', []],
  ])('deploy %s to %j', (ref, stages) => {
    expect(deployedFrom(ref)).toEqual(stages);
  });

  test('keep a release candidate from prod by its condition, too', () => {
    const condition = workflow('deploy.yml').jobs.prod?.if ?? 'true';
    expect(holds(condition, 'refs/tags/v1.2.0-rc.1')).toBe(false);
    expect(holds(condition, 'refs/tags/v1.2.0')).toBe(true);
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

describe('Dependabot', () => {
  interface Updates {
    'package-ecosystem': string;
    schedule: { interval: string };
    groups: Record<string, { patterns: string[]; 'update-types'?: string[] }>;
  }
  const { updates }: { updates: Updates[] } = parse(readFileSync(new URL('.github/dependabot.yml', ROOT), 'utf8'));

  test('proposes updates of packages and actions every week, in groups', () => {
    expect(updates.map(({ 'package-ecosystem': kind, schedule }) => [kind, schedule.interval])).toEqual([
      ['npm', 'weekly'],
      ['github-actions', 'weekly'],
    ]);
    for (const { groups } of updates) expect(Object.values(groups).at(-1)?.patterns).toEqual(['*']);
  });

  test('updates packages of one project together, also to another major version', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
    const groups = Object.values(updates[0]?.groups ?? {}).filter((group) => !group['update-types']);
    const isTogether = (scope: string) => groups.some(({ patterns }) => patterns.includes(`${scope}/*`));
    const scopes = Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => /^@[^/]+/.exec(name) ?? []);
    const several = scopes.filter((scope, i) => scopes.indexOf(scope) !== i && scope !== '@types');
    expect(several.filter((scope) => !isTogether(scope))).toEqual([]);
    expect(several).toContain('@middy');
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
