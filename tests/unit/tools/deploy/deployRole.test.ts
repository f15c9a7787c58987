import { describe, expect, test } from 'vitest';
import { grantsOf, PERMISSION_WORDS } from '../../../../tools/deploy/permissions.ts';
import { searchPermissions } from '../../../../tools/deploy/search.ts';
import { SCHEDULED } from '../../../support/bundles.ts';
import { readTemplate } from '../../../support/cloudFormation.ts';

interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource: unknown;
  Condition?: object;
}

const { Parameters, Resources } = readTemplate('tools/deploy/stacks/deploy-role.yml');

/** A statement that a parameter decides about counts as one that is there. */
const statementsIn = (policy: { Statement: ({ 'Fn::If': [string, Statement] } | Statement)[] }): Statement[] =>
  policy.Statement.map((each) => ('Fn::If' in each ? each['Fn::If'][1] : each));

const all = statementsIn(Resources.Role.Properties.Policies[0].PolicyDocument);
const deployer = all.filter(({ Effect }) => Effect === 'Allow');
const boundary = statementsIn(Resources.Boundary.Properties.PolicyDocument);

const actionsIn = (statements: readonly Statement[]) => statements.flatMap(({ Action }) => Action);
const jsonOf = (value: unknown) => JSON.stringify(value) ?? '';
const conditionOf = (action: string) =>
  jsonOf(deployer.find(({ Action }) => [Action].flat().includes(action))?.Condition);

describe('the role for the deployments of a stage', () => {
  test('names the stage in every resource, or else in a condition, with few exceptions', () => {
    const isOfStage = (text: string) => /\$\{Stage\}|"Ref":"(KmsKey|Boundary|Stage)"|\$\{Domain\}/.test(text);
    const others = [...deployer, ...boundary].flatMap(({ Action, Resource, Condition }) =>
      [Resource].flat().flatMap((each) => (isOfStage(jsonOf([each, Condition])) ? [] : [[Action, jsonOf(each)]])),
    );
    expect(others).toEqual([
      ['cloudformation:ValidateTemplate', '"*"'],
      [
        [
          ...['cloudwatch:DescribeAlarms', 'lambda:GetAccountSettings', 'logs:DescribeIndexPolicies'],
          ...['logs:DescribeLogGroups', 'logs:DescribeResourcePolicies', 'sns:Unsubscribe'],
        ],
        '"*"',
      ],
      ['apigateway:GET', expect.stringMatching(/::\/account"\}$/)],
      // The tags of an API that has no id yet.
      ['apigateway:PUT', expect.stringContaining('"Asterisk":"${*}"')],
      ['apigateway:GET', expect.stringMatching(/::\/tags\/\*"\}$/)],
      ['iam:CreateServiceLinkedRole', expect.stringMatching(/AWSServiceRoleForAPIGateway"\}$/)],
      [['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '"*"'],
    ]);
  });

  test('has all actions of a service only where it needs many, and none that reads users or changes a boundary', () => {
    const actions = actionsIn(deployer);
    const whole = actions.filter((action) => action.includes('*')).map((action) => action.replace(':*', ''));
    expect(whole.join(' ')).toBe('cloudformation s3 lambda:Get* lambda:List* logs cloudwatch sns apigateway');
    const ofUsers =
      /dynamodb:(\w*Item|Query|Scan|PartiQL|Export|PutResourcePolicy|EnableKinesis)|events:Put(Events|Permission)/;
    const ofRoles =
      /iam:(\w*Policy(Version)|DeletePolicy|AttachRole|UpdateAssume|UpdateRole|DeleteRolePermissionsBoundary)/;
    expect(actions.filter((action) => ofUsers.test(action) || ofRoles.test(action))).toEqual([]);
  });

  test('makes roles only within the boundary and for Lambda, APIs only with the tag of the stage, and schedules only', () => {
    for (const action of ['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary'])
      expect(conditionOf(action)).toBe('{"StringEquals":{"iam:PermissionsBoundary":{"Ref":"Boundary"}}}');
    expect(conditionOf('iam:PassRole')).toBe('{"StringEquals":{"iam:PassedToService":"lambda.amazonaws.com"}}');
    expect(conditionOf('apigateway:*')).toContain('{"StringEquals":{"aws:ResourceTag/STAGE":{"Ref":"Stage"}}');
    expect(conditionOf('apigateway:POST')).toBe('{"StringEquals":{"aws:RequestTag/STAGE":{"Ref":"Stage"}}}');
    expect(conditionOf('events:PutRule')).toBe('{"Null":{"events:source":"true","events:detail-type":"true"}}');
  });

  test('calls no function, by Lambda or by a test of API Gateway, and lets only an API or a schedule call them', () => {
    // Lambda's actions that call a function or decide who may: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awslambda.html
    const calling = /^lambda:(Invoke|\w*(Url|Alias|ResourcePolicy|EventInvoke|Publish))/;
    expect(actionsIn(deployer).filter((action) => calling.test(action))).toEqual([]);
    const [refused, ...others] = all.filter(({ Effect }) => Effect === 'Deny');
    const parts = ['methods', 'authorizers'];
    expect([refused, others]).toEqual([
      {
        ...{ Effect: 'Deny', Action: 'apigateway:POST' },
        Resource: parts.map((part) => ({
          'Fn::Sub': `arn:\${AWS::Partition}:apigateway:\${AWS::Region}::/restapis/*/${part}/*`,
        })),
      },
      [],
    ]);
    const lambda = 'arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:function:user-management-${Stage}';
    const [any, ...named] = ['*', ...SCHEDULED].map((name) => ({ 'Fn::Sub': `${lambda}-${name}` }));
    const principals = deployer.filter(({ Action }) => Action === 'lambda:AddPermission');
    expect(principals.map(({ Resource, Condition }) => [Resource, Condition])).toEqual([
      [any, { StringEquals: { 'lambda:Principal': 'apigateway.amazonaws.com' } }],
      [named, { StringEquals: { 'lambda:Principal': 'events.amazonaws.com' } }],
    ]);
    expect(JSON.parse(conditionOf('events:PutTargets'))).toEqual({
      Null: { 'events:TargetArn': 'false' },
      'ForAllValues:ArnEquals': { 'events:TargetArn': named },
    });
  });

  // https://github.com/aws-actions/configure-aws-credentials/issues/1888
  test('is taken by one environment of one repository, whose ids may be in the subject', () => {
    const [{ Condition }, ...others] = Resources.Role.Properties.AssumeRolePolicyDocument.Statement;
    const [
      plain,
      {
        'Fn::If': [, withIds],
      },
    ] = Condition.StringEquals['token.actions.githubusercontent.com:sub'];
    expect(plain).toEqual({ 'Fn::Sub': 'repo:${Repository}:environment:${Stage}' });
    expect(withIds['Fn::Sub'][0]).toBe('repo:${Owner}@${OwnerId}/${Name}@${NameId}:environment:${Stage}');
    expect(others).toEqual([]);
  });

  test('is refused for names and keys that would include others', () => {
    const accepts = (name: string, value: string) => new RegExp(Parameters[name].AllowedPattern).test(value);
    for (const stage of ['d', 'dev2', 'abcdefgh']) expect(accepts('Stage', stage), stage).toBe(true);
    for (const stage of ['', 'production', 'Dev', 'dev-eu', 'de*', 'd?v', '${*}', 'deploy'])
      expect(accepts('Stage', stage), stage).toBe(false);
    const arn = 'arn:aws:kms:eu-central-1:123456789012:';
    const keys = ['', `${arn}key/mrk-12ab`, `${arn}key/*`, `${arn}alias/users`, '*'];
    expect(keys.map((key) => accepts('KmsKey', key))).toEqual([true, true, false, false, false]);
    expect(['users.example.com', '*.example.com'].map((name) => accepts('Domain', name))).toEqual([true, false]);
  });

  test('has a boundary with exactly the actions that functions use, for a running function of the stage', () => {
    const ofFunctions = grantsOf(PERMISSION_WORDS).map(
      (grant) => (grant === 'PutEvents bus' ? 'events:' : 'dynamodb:') + grant.split(' ')[0],
    );
    const ofSearch = searchPermissions(PERMISSION_WORDS, { url: '', arn: '' }).flatMap(({ Action }) => Action);
    const others = ['logs:CreateLogStream', 'logs:PutLogEvents', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
    const bounded = actionsIn(boundary).filter((action) => !action.startsWith('kms:'));
    expect(bounded.toSorted()).toEqual([...new Set([...ofFunctions, ...ofSearch]), ...others].sort());
    expect(jsonOf(boundary[0]?.Condition)).toMatch(
      /"lambda:SourceFunctionArn":.*function:user-management-\$\{Stage\}-\*/,
    );
    for (const { Action, Condition } of [...deployer, ...boundary])
      if (jsonOf(Action).includes('kms:'))
        expect(jsonOf(Condition)).toContain('"kms:ViaService":{"Fn::Sub":"dynamodb.');
  });
});

describe('the role for the drill of a restore', () => {
  const drill = readTemplate('tools/deploy/stacks/drill-role.yml').Resources.Role.Properties.Policies[0].PolicyDocument;

  test('begins a restore of the tables of its stage, and reads, changes and deletes only those of the drill', () => {
    const [begins, works, key, ...others] = statementsIn(drill);
    const namesIn = ({ Resource }: Statement) => jsonOf(Resource).match(/(?<=table\/)[^"]+/g);
    const stage = 'user-management-${Stage}';
    expect(begins?.Action).toEqual(['dynamodb:DescribeContinuousBackups', 'dynamodb:RestoreTableToPointInTime']);
    expect(begins && namesIn(begins)).toEqual([`${stage}-users`, `${stage}-directory`]);
    expect(works && namesIn(works)).toEqual([
      `${stage}-users-drill`,
      `${stage}-users-drill/index/*`,
      `${stage}-directory-drill`,
    ]);
    expect(
      actionsIn([works as Statement]).filter((action) => !action.startsWith('dynamodb:') || action.includes('*')),
    ).toEqual([]);
    expect([jsonOf(key?.Resource), others]).toEqual(['{"Ref":"KmsKey"}', []]);
  });

  test('is that of one environment', () => {
    const trust = jsonOf(
      readTemplate('tools/deploy/stacks/drill-role.yml').Resources.Role.Properties.AssumeRolePolicyDocument,
    );
    expect(trust.match(/environment:[^"]+/g)).toEqual(['environment:drill', 'environment:drill']);
  });
});
