import { mayCall, maySend, referenced } from './references.ts';
import { AWS, add, alter, at, each, ISSUES, listAt, type Rule } from './rule.ts';

const POLICIES = `${AWS}/eventbridge/latest/userguide/eb-use-resource-based.html`;

export const EVENT_RULES: Rule[] = [
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
        return called !== undefined && !mayCall(resources, 'events.amazonaws.com', called, id);
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
        .some((queue) => !maySend(resources, queue)),
    ),
    breaks: (resources) => {
      resources.Queue = { Type: 'AWS::SQS::Queue', Properties: {} };
      alter('Events::Rule', { Targets: [{ DeadLetterConfig: { Arn: { 'Fn::GetAtt': 'Queue.Arn' } } }] })(resources);
    },
  },
];
