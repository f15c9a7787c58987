import { madeBefore, referenced } from './references.ts';
import { AWS, add, alter, at, each, ISSUES, listAt, ofType, type Resources, type Rule, tooMany } from './rule.ts';

const GUIDE = `${AWS}/lambda/latest/dg`;

const READ_STREAM = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];

/** What the role of a function may do. */
function actionsOf(resources: Resources, functionId = ''): unknown[] {
  const role = referenced(resources, at(resources, functionId, 'Properties', 'Role'), 'IAM::Role') ?? '';
  return listAt(resources, role, 'Properties', 'Policies')
    .flatMap((policy) => listAt(policy, 'PolicyDocument', 'Statement'))
    .flatMap((statement) => listAt(statement, 'Action'));
}

const mapping = (functionId: string) => ({
  EventSourceArn: { 'Fn::GetAtt': ['UsersTable', 'StreamArn'] },
  FunctionName: { Ref: functionId },
  StartingPosition: 'LATEST',
});

export const LAMBDA_RULES: Rule[] = [
  {
    says: 'No version of a function is retained: after a deployment that was rolled back, the same code fails, as "a version for this Lambda function exists"',
    source: `${ISSUES}/serverless/serverless/issues/7822`,
    offenders: (resources) =>
      ofType(resources, 'Lambda::Version').flatMap(([id, { DeletionPolicy }]) =>
        DeletionPolicy === 'Retain' ? id : [],
      ),
    breaks: (resources) => {
      const Properties = { FunctionName: { Ref: 'FoldLambdaFunction' } };
      resources.FoldVersion = { Type: 'AWS::Lambda::Version', DeletionPolicy: 'Retain', Properties };
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
    says: 'At most two functions read one stream',
    source: `${AWS}/amazondynamodb/latest/developerguide/Streams.html`,
    offenders: (resources) =>
      tooMany(
        ofType(resources, 'Lambda::EventSourceMapping').map(([id, { Properties }]) => [id, Properties.EventSourceArn]),
        2,
      ),
    breaks: add('Lambda::EventSourceMapping', mapping('FoldLambdaFunction')),
  },
  {
    says: 'A function gets a stream only if its role may read it',
    source: `${GUIDE}/services-dynamodb-eventsourcemapping.html`,
    offenders: each('Lambda::EventSourceMapping', ({ FunctionName }, _, resources) => {
      const actions = actionsOf(resources, referenced(resources, FunctionName, 'Lambda::Function'));
      return READ_STREAM.some((action) => !actions.includes(`dynamodb:${action}`));
    }),
    breaks: alter('Lambda::EventSourceMapping', mapping('GetUserLambdaFunction')),
  },
];
