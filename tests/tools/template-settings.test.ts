import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RULES, refusalsOf } from '../../tools/check/awsRules/rules.ts';
import { grantsOf as grantsInWords } from '../../tools/deploy/permissions.ts';
import { ofType } from '../../tools/deploy/resource.ts';
import { wordsOf } from '../support/bundles.ts';
import { readTemplate } from '../support/cloudFormation.ts';
import {
  functionsIn,
  functionsOf,
  grantsOf,
  ISSUER,
  only,
  packageStage,
  propertiesOf,
  schedulesOf,
  shell,
  statementsOf,
  type Template,
  tryToPackage,
} from '../support/template.ts';

const KMS_KEY = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const DOMAIN = 'users.example.com';
const BOUNDARY = 'arn:aws:iam::123456789012:policy/user-management-boundary-prod';

/** The uses of the key of a table by DynamoDB, with the permissions of its caller. */
const KEY_USES =
  'Decrypt DescribeKey Encrypt GenerateDataKey GenerateDataKeyWithoutPlaintext ReEncryptFrom ReEncryptTo'.split(' ');

const OTHER_TABLES = { USERS_TABLE: 'users-restored', DIRECTORY_TABLE: 'directory-restored' };

describe('a stage that uses other tables', () => {
  test('does not create them, and has the same permissions on them as on its own tables', () => {
    const { template } = packageStage('restored', { OIDC_ISSUER: 'none', ...OTHER_TABLES });
    expect(ofType(template, 'DynamoDB::Table')).toEqual([]);
    expect(template.GetUserLambdaFunction?.Properties.Environment).toMatchObject({ Variables: OTHER_TABLES });
    for (const name of functionsOf(true)) {
      const words = grantsInWords(wordsOf(name)).filter((grant) => !grant.endsWith(' stream'));
      const expected = words.map((grant) => grant.replace(/#\w+$/, '').replace(/ (users|directory)/, ' $1-restored'));
      expect(grantsOf(template, name), name).toEqual(expected.sort());
    }
    // These tables have no stream.
    expect(ofType(template, 'Lambda::EventSourceMapping')).toEqual([]);
    expect(schedulesOf(template)).toEqual(['rate(1 minute)']);
    expect(JSON.stringify(template)).not.toContain('UsersTable');
  });

  test('folds after writes through their stream, if they have one', () => {
    const USERS_STREAM =
      'arn:aws:dynamodb:eu-central-1:123456789012:table/users-restored/stream/2026-11-21T10:00:00.000';
    const { template } = packageStage('streaming', { OIDC_ISSUER: 'none', ...OTHER_TABLES, USERS_STREAM });
    expect(only(template, 'Lambda::EventSourceMapping').Properties).toMatchObject({
      EventSourceArn: USERS_STREAM,
      FunctionName: { 'Fn::GetAtt': ['FoldLambdaFunction', 'Arn'] },
      MaximumRetryAttempts: 0,
    });
    expect(grantsOf(template, 'fold')).toContain(`GetRecords "${USERS_STREAM}"`);
    expect(schedulesOf(template)).toEqual(['rate(1 minute)']);
    expect(JSON.stringify(template)).not.toContain('UsersTable');
  });
});

describe('a stage with events, unique e-mails, a dashboard, a key, a domain, a boundary and reserved concurrency', () => {
  let plain: Template;
  let template: Template;

  beforeAll(() => {
    const settings = { ...ISSUER, ALARM_EMAIL: 'ops@example.com' };
    ({ template: plain } = packageStage('prod', settings));
    shell.replace('serverless.yml', '    events: false', '    events: true');
    shell.replace('serverless.yml', '    uniqueEmails: false', '    uniqueEmails: true');
    shell.replace('serverless.yml', '    dashboard: false', '    dashboard: true');
    shell.replace('serverless.yml', 'reservedConcurrency: {}', 'reservedConcurrency: { listAllUsers: 20, fold: 2 }');
    const more = { KMS_KEY, DOMAIN_NAME: DOMAIN, PERMISSIONS_BOUNDARY: BOUNDARY };
    ({ template } = packageStage('prod', { ...settings, ...more }));
  });

  test('has a dashboard, a bus, a function that sends, its logs and an alarm, a mapping of the domain, and else what other stages have', () => {
    expect(functionsIn(template)).toEqual([...functionsOf(false), 'sendEvents'].sort());
    const more = Object.keys(template).filter((id) => !(id in plain) && !/^\w+Deployment\w+$/.test(id));
    expect(more.sort()).toEqual([
      'Dashboard',
      'DomainMapping',
      'EventBus',
      'EventsAlarm',
      'SendEventsEventSourceMappingDynamodbUsersTable',
      'SendEventsEventsRuleSchedule1',
      'SendEventsLambdaFunction',
      'SendEventsLambdaPermissionEventsRuleSchedule1',
      'SendEventsLogGroup',
      'SendEventsRole',
    ]);
    expect(template.DomainMapping?.Properties).toEqual({
      ...{ DomainName: DOMAIN, RestApiId: { Ref: 'ApiGatewayRestApi' }, Stage: { Ref: 'ApiStage' } },
    });
    expect(template.EventBus).toEqual({ Type: 'AWS::Events::EventBus', Properties: { Name: 'user-management-prod' } });
    expect(template.SendEventsLambdaFunction?.Properties).toMatchObject({
      MemorySize: 512,
      Timeout: 60,
      Environment: { Variables: { EVENT_BUS: 'user-management-prod', HISTORY_DAYS: '30' } },
    });
    expect(functionsIn(plain)).toEqual(functionsOf(false));
    expect(JSON.stringify(plain)).not.toMatch(/sendEvents|EventBus|EVENT_BUS|eventsLagSeconds|PutEvents/);
  });

  test('shows each of its functions on the dashboard', () => {
    const dashboard = only(template, 'CloudWatch::Dashboard').Properties;
    expect(dashboard.DashboardName).toBe('user-management-prod');
    const searched = [...JSON.stringify(dashboard).matchAll(/aws\/lambda\/user-management-prod-(\w+)/g)];
    expect(new Set(searched.map(([, name]) => name))).toEqual(new Set(functionsIn(template)));
  });

  test('has nothing that AWS is known to refuse, neither at once nor over the stage without them', () => {
    expect(refusalsOf(template)).toEqual([]);
    // The boundary and the key of a stage may change, too.
    expect(refusalsOf(template, plain)).toEqual([]);
  });

  test.each(RULES)('would break a rule of AWS: $says', ({ says, breaks }) => {
    const broken = structuredClone(template);
    breaks(broken);
    expect(refusalsOf(broken, template).map((refusal) => refusal.slice(0, says.length))).toContain(says);
  });

  test('lets only one function put events, only on the bus, and write only its own token', () => {
    const words = grantsInWords(wordsOf('sendEvents')).filter((grant) => grant !== 'PutEvents bus');
    expect(grantsOf(template, 'sendEvents')).toEqual(words.map((grant) => grant.replace(/#\w+$/, '')).sort());
    expect(statementsOf(template, 'sendEvents')).toEqual(
      expect.arrayContaining([
        { Effect: 'Allow', Action: ['events:PutEvents'], Resource: [{ 'Fn::GetAtt': ['EventBus', 'Arn'] }] },
        {
          Effect: 'Allow',
          Action: ['dynamodb:UpdateItem'],
          Resource: [expect.anything()],
          Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['events'] } },
        },
      ]),
    );
    const putting = Object.keys(template).filter((id) => JSON.stringify(template[id]).includes('events:PutEvents'));
    expect(putting).toEqual(['SendEventsRole']);
  });

  test.each(['createUser', 'patchUser'])('lets %s keep e-mails unique', (name) => {
    expect(grantsOf(template, name)).toEqual(grantsInWords(wordsOf(name, true)).sort());
    expect(grantsOf(template, name)).not.toEqual(grantsOf(plain, name));
  });

  test('reserves concurrency, and sets the boundary of every role', () => {
    const reserved = propertiesOf(template, 'Lambda::Function').flatMap((each) =>
      each.ReservedConcurrentExecutions === undefined ? [] : [[each.FunctionName, each.ReservedConcurrentExecutions]],
    );
    expect(Object.fromEntries(reserved)).toEqual({
      'user-management-prod-listAllUsers': 20,
      'user-management-prod-fold': 2,
    });
    const boundaries = propertiesOf(template, 'IAM::Role').map(({ PermissionsBoundary }) => PermissionsBoundary);
    expect(boundaries).toEqual(Array(functionsIn(template).length).fill(BOUNDARY));
  });

  test('encrypts both tables with the key, and lets only functions that use the tables use it, through DynamoDB', () => {
    const encrypted = Object.entries(template).map(([id, { Properties }]) => [id, Properties?.SSESpecification]);
    const specification = { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: KMS_KEY };
    expect(Object.fromEntries(encrypted)).toEqual({ UsersTable: specification, DirectoryTable: specification });
    const use = {
      Effect: 'Allow',
      Action: KEY_USES.map((each) => `kms:${each}`),
      Resource: [KMS_KEY],
      Condition: { StringEquals: { 'kms:ViaService': { 'Fn::Sub': 'dynamodb.${AWS::Region}.amazonaws.com' } } },
    };
    const usesOf = (name: string) => statementsOf(template, name).filter(({ Resource }) => Resource[0] === KMS_KEY);
    const using = functionsIn(template).filter((name) => usesOf(name).length > 0);
    expect(using).toEqual(functionsIn(template).filter((name) => grantsOf(template, name).length > 0));
    expect(functionsIn(template).filter((name) => !using.includes(name))).toEqual([
      ...['authorizer', 'getAdmin', 'getAdminFile', 'getDocs', 'getDocsFile', 'getOpenApi', 'unknownRoute'],
    ]);
    for (const name of using) expect(usesOf(name), name).toEqual([use]);
  });

  test('has only resources of services that the role for deployments knows', () => {
    const role = JSON.stringify(readTemplate('tools/deploy/stacks/deploy-role.yml').Resources.Role);
    const services = Object.values(template).map(({ Type }) => String(Type.split('::')[1]).toLowerCase());
    expect(new Set(services).size).toBeGreaterThan(7);
    expect(services.filter((service) => !role.includes(`"${service}:`))).toEqual([]);
  });
});

// The last tests, because they break the copy.
describe('packaging', () => {
  test('is refused with one sentence where a setting is wrong', () => {
    const { status, stdout } = tryToPackage('prod', {});
    const sentence = 'Stage prod needs authentication: set OIDC_ISSUER to the URL of the issuer of your tokens.';
    expect([status, stdout.trim()]).toEqual([1, `Error:\n${sentence}`]);
  });

  test('fails when a function cannot be built, and names the function', () => {
    writeFileSync(join(shell.root, 'functions/getUser.ts'), "export { handler } from '../lib/nowhere.ts';\n");
    const { status, stdout } = tryToPackage('dev', { OIDC_ISSUER: 'none' });
    expect(status).toBe(1);
    expect(stdout).toContain('functions/getUser.ts');
  });
});
