import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, expect, test, vi } from 'vitest';
import { firstFailure } from '../../../../tools/doors/failure.ts';
import { requireBus } from '../../../../tools/doors/needs.ts';
import { deployTemplate } from '../../../../tools/doors/stack.ts';

afterEach(() => vi.restoreAllMocks());

const ID = 'arn:aws:cloudformation:eu-central-1:123456789012:stack/user-management-dev-queue/0815';
const CONFIG = { region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };

const event = (LogicalResourceId: string, ResourceStatus: string, ResourceStatusReason?: string) => ({
  ...{ StackId: ID, LogicalResourceId, ResourceStatus, ResourceType: 'AWS::SQS::Queue', ResourceStatusReason },
  PhysicalResourceId: LogicalResourceId === 'user-management-dev-queue' ? ID : '',
});

/** Events as CloudFormation tells them, newest first. */
const FAILED = [
  event('user-management-dev-queue', 'DELETE_COMPLETE'),
  event('Queue', 'DELETE_FAILED', 'It is gone'),
  event('user-management-dev-queue', 'ROLLBACK_IN_PROGRESS', 'The following resource(s) failed: [FailedQueue, Queue].'),
  event('Rule', 'CREATE_FAILED', 'Resource creation cancelled'),
  event('FailedQueue', 'CREATE_FAILED', 'Access denied to sqs:CreateQueue'),
  event('Queue', 'CREATE_IN_PROGRESS'),
  event('user-management-dev-queue', 'CREATE_IN_PROGRESS', 'User Initiated'),
];

/** A client whose calls are answered by name, which are noted with their input. */
function answering(answers: Record<string, (input: Record<string, unknown>) => unknown>) {
  const calls: [name: string, input: Record<string, unknown>][] = [];
  vi.spyOn(CloudFormationClient.prototype, 'send').mockImplementation(async (command) => {
    const name = command.constructor.name.replace('Command', '');
    calls.push([name, command.input as Record<string, unknown>]);
    return answers[name]?.(command.input as Record<string, unknown>);
  });
  return { client: new CloudFormationClient(CONFIG), calls };
}

const VALUES = { given: {}, known: { Bus: 'user-management-dev' }, ask: async () => undefined };

test('a first deployment that fails says the first failure and its reason, which is found by the id of the stack alone', async () => {
  let hasBegun = false;
  const { client, calls } = answering({
    DescribeStacks: ({ StackName }) => {
      if (StackName !== ID) return { Stacks: [] };
      return { Stacks: [{ StackId: ID, StackStatus: hasBegun ? 'DELETE_COMPLETE' : 'CREATE_IN_PROGRESS' }] };
    },
    CreateStack: () => {
      hasBegun = true;
      return { StackId: ID };
    },
    DescribeStackEvents: ({ StackName }) => ({ StackEvents: StackName === ID ? FAILED : [] }),
  });
  const tags = { STAGE: 'dev', service: 'user-management' };
  const deployed = deployTemplate(client, 'user-management-dev-queue', 'doors/queue/template.yml', VALUES, tags);
  await expect(deployed).rejects.toThrow(
    'Stack user-management-dev-queue was not deployed: FailedQueue (AWS::SQS::Queue) CREATE_FAILED: Access denied to sqs:CreateQueue',
  );
  const [, input] = calls.find(([name]) => name === 'CreateStack') ?? [];
  expect([input?.OnFailure, input?.Tags]).toEqual([
    'DELETE',
    [
      { Key: 'STAGE', Value: 'dev' },
      { Key: 'service', Value: 'user-management' },
    ],
  ]);
});

test('of a stack that failed before, only the newest operation counts', async () => {
  const StackEvents = [
    event('user-management-dev-queue', 'UPDATE_ROLLBACK_COMPLETE'),
    event('Rule', 'UPDATE_FAILED', 'Event bus does not exist'),
    event('user-management-dev-queue', 'UPDATE_IN_PROGRESS', 'User Initiated'),
    ...FAILED,
  ];
  const { client } = answering({ DescribeStackEvents: () => ({ StackEvents }) });
  expect(await firstFailure(client, ID)).toBe('Rule (AWS::SQS::Queue) UPDATE_FAILED: Event bus does not exist');
});

test('a failure without a resource says why the stack is rolled back', async () => {
  const StackEvents = [
    event('user-management-dev-queue', 'ROLLBACK_IN_PROGRESS', 'A hook refused it'),
    ...FAILED.slice(-1),
  ];
  const { client } = answering({ DescribeStackEvents: () => ({ StackEvents }) });
  expect(await firstFailure(client, ID)).toMatch(/ROLLBACK_IN_PROGRESS: A hook refused it$/);
});

const busOf = (answer: () => Promise<object>) => {
  vi.spyOn(EventBridgeClient.prototype, 'send').mockImplementation(answer);
  return requireBus(new EventBridgeClient(CONFIG), { door: 'queue', stage: 'dev', bus: 'user-management-dev' });
};

test('a door that takes events asks for the bus, and says what to do without it', async () => {
  await busOf(async () => ({ Name: 'user-management-dev' }));
  const missing = Object.assign(new Error('Event bus does not exist'), { name: 'ResourceNotFoundException' });
  await expect(busOf(() => Promise.reject(missing))).rejects.toThrow(
    'Door queue needs the bus user-management-dev, and there is none: set "events: true" for dev under "params" of serverless.yml, and deploy the stage. Nothing was deployed.',
  );
  await expect(busOf(() => Promise.reject(new Error('Throttled')))).rejects.toThrow('Throttled');
});
