import { ofType, type Resources } from '../../deploy/resource.ts';
import { madeBefore, mayUse, referenced } from './references.ts';
import { AWS, add, alter, at, each, ISSUES, listAt, type Rule } from './rule.ts';

const POLICIES = `${AWS}/eventbridge/latest/userguide/eb-use-resource-based.html`;

const READ_STREAM = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
  (name) => `dynamodb:${name}`,
);

const READ_QUEUE = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((name) => `sqs:${name}`);

/** The actions that a function needs to read from its source. */
const neededFor = (resources: Resources, source: unknown): string[] =>
  referenced(resources, source, 'SQS::Queue') === undefined ? READ_STREAM : READ_QUEUE;

/** The actions that the role of a function allows. */
function actionsOf(resources: Resources, functionId = ''): unknown[] {
  const role = referenced(resources, at(resources, functionId, 'Properties', 'Role'), 'IAM::Role') ?? '';
  return listAt(resources, role, 'Properties', 'Policies')
    .flatMap((policy) => listAt(policy, 'PolicyDocument', 'Statement'))
    .flatMap((statement) => listAt(statement, 'Action'));
}

export const FUNCTION_RULES: Rule[] = [
  {
    says: 'No version of a function is retained: after a deployment that was rolled back, the same code fails, as "a version for this Lambda function exists"',
    source: `${ISSUES}/serverless/serverless/issues/7822`,
    offenders: each('Lambda::Version', (_, id, resources) => resources[id]?.DeletionPolicy === 'Retain'),
    breaks: (resources) => {
      add('Lambda::Version', {})(resources);
      alter('Lambda::Version', {}, { DeletionPolicy: 'Retain' })(resources);
    },
  },
  {
    says: 'A function is made after its log group: a call in between makes the group, which then exists already',
    source: `${ISSUES}/serverless/serverless/issues/3237`,
    offenders: each('Lambda::Function', ({ FunctionName }, id, resources) =>
      ofType(resources, 'Logs::LogGroup').some(
        ([group, { Properties }]) =>
          Properties.LogGroupName === `/aws/lambda/${FunctionName}` && !madeBefore(resources, id).has(group),
      ),
    ),
    breaks: alter('Lambda::Function', {}, { DependsOn: [] }),
  },
  {
    says: 'A function gets a stream or a queue only if its role may read it',
    source: `${AWS}/lambda/latest/dg/services-dynamodb-eventsourcemapping.html`,
    offenders: each('Lambda::EventSourceMapping', ({ FunctionName, EventSourceArn }, _, resources) => {
      const actions = actionsOf(resources, referenced(resources, FunctionName, 'Lambda::Function'));
      return neededFor(resources, EventSourceArn).some((action) => !actions.includes(action));
    }),
    breaks: alter('Lambda::EventSourceMapping', { FunctionName: { Ref: 'GetUserLambdaFunction' } }),
  },
  {
    says: 'Only the default bus has schedules',
    source: `${ISSUES}/aws-controllers-k8s/community/issues/1984`,
    offenders: each('Events::Rule', ({ ScheduleExpression, EventBusName }) => !!(ScheduleExpression && EventBusName)),
    breaks: alter('Events::Rule', { EventBusName: { Ref: 'EventBus' } }),
  },
  {
    says: 'A rule may call a function only if the policy of the function names the rule',
    source: POLICIES,
    offenders: each('Events::Rule', ({ Targets }, id, resources) =>
      listAt(Targets).some((target) => {
        const called = referenced(resources, target, 'Lambda::Function');
        return called !== undefined && !mayUse(resources, 'events.amazonaws.com', called, id);
      }),
    ),
    breaks: add('Events::Rule', { Targets: [{ Arn: { 'Fn::GetAtt': ['FoldLambdaFunction', 'Arn'] } }] }),
  },
  {
    says: 'A rule may send to a queue, also what it cannot deliver, only if the policy of the queue says so',
    source: POLICIES,
    offenders: each('Events::Rule', ({ Targets }, _, resources) =>
      listAt(Targets)
        .flatMap((target) => [at(target, 'Arn'), at(target, 'DeadLetterConfig')])
        .flatMap((queue) => referenced(resources, queue, 'SQS::Queue') ?? [])
        .some((queue) => !mayUse(resources, 'events.amazonaws.com', queue)),
    ),
    breaks: (resources) => {
      resources.Queue = { Type: 'AWS::SQS::Queue', Properties: {} };
      alter('Events::Rule', { Targets: [{ DeadLetterConfig: { Arn: { 'Fn::GetAtt': 'Queue.Arn' } } }] })(resources);
    },
  },
];
