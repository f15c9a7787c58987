import { readFileSync } from 'node:fs';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { ListEventBusesCommand } from '@aws-sdk/client-eventbridge';
import { createEventBridge, createEventBridgeSink } from '../../../lib/events/eventBridge.ts';
import { createSender } from '../../../lib/events/sender.ts';
import { systemRuntime } from '../../../lib/runtime.ts';
import type { TableNames } from '../../../lib/users/database.ts';
import { copyShell } from '../projectCopy.ts';
import { expectEqual, expectWell } from './expectations.ts';
import { authorizationFor, HISTORY_DAYS, REGION, type Rehearsal } from './run.ts';

const STACK = 'user-events';
const BUS = 'user-management-dev';

/** The queue of docs/events-queue.yml. @returns its URL */
async function makeQueue(cloudFormation: CloudFormationClient): Promise<string> {
  const TemplateBody = readFileSync('docs/events-queue.yml', 'utf8');
  const Parameters = [{ ParameterKey: 'Bus', ParameterValue: BUS }];
  await cloudFormation.send(new CreateStackCommand({ StackName: STACK, TemplateBody, Parameters }));
  const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: STACK }));
  return Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'QueueUrl')?.OutputValue ?? '';
}

/** The bodies of all messages of a queue, by the JSON protocol of SQS: a client of it would be of no other use here. */
async function receive(endpoint: string, QueueUrl: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.ReceiveMessage',
      authorization: authorizationFor('sqs'),
    },
    body: JSON.stringify({ QueueUrl, MaxNumberOfMessages: 10 }),
  });
  const { Messages = [] } = (await response.json()) as { Messages?: { Body: string }[] };
  return Messages.map(({ Body }) => JSON.parse(Body));
}

/** By stage. */
async function deadRoutes(endpoint: string): Promise<unknown> {
  const response = await fetch(`${endpoint}/dead-routes`, {
    headers: { authorization: authorizationFor('apigateway') },
  });
  return response.json();
}

/** docs/events.md: a stage gets events, one arrives in a queue, and the stage is without them again, and without one of its routes. */
export async function eventsArrive(rehearsal: Rehearsal, tables: TableNames, settings: Record<string, string>) {
  const { standIn, serverless, service } = rehearsal;
  const config = { endpoint: standIn.endpoint, region: REGION };
  const client = createEventBridge(config);
  const cloudFormation = new CloudFormationClient(config);
  const busNames = async () =>
    (await client.send(new ListEventBusesCommand({}))).EventBuses?.map(({ Name }) => Name).toSorted();
  const { root, replace, remove } = copyShell();
  try {
    replace('serverless.yml', '    events: false', '    events: true');
    expectWell(await serverless('deploy --stage dev', settings, root));
    expectEqual(await busNames(), ['default', BUS], 'buses');
    const queue = await makeQueue(cloudFormation);

    const { users, fold, database } = service(tables);
    const { id } = await users.create({ name: 'Ann' });
    await fold.run(10_000);
    const sink = createEventBridgeSink({ client, bus: BUS, runtime: systemRuntime });
    const report = await createSender(database, { historyDays: HISTORY_DAYS, sink }).run(10_000, (fault) => {
      throw fault;
    });
    expectEqual(report, { sent: 1, lagMs: 0 }, 'report of the sender');
    const events = await receive(standIn.endpoint, queue);
    const shown = events.map(({ source, 'detail-type': type, detail }) => [
      source,
      type,
      (detail as { id: number }).id,
    ]);
    expectEqual(shown, [['user-management', 'User created', id]], 'events in the queue');

    await cloudFormation.send(new DeleteStackCommand({ StackName: STACK }));
    replace('serverless.yml', '    events: true', '    events: false');
    replace('serverless.yml', '  getAdminFile:', '  # getAdminFile:');
    expectWell(await serverless('deploy --stage dev', settings, root));
    expectEqual(await busNames(), ['default'], 'buses');
    expectEqual(await deadRoutes(standIn.endpoint), { dev: [] }, 'routes that lead to functions that are gone');
  } finally {
    remove();
  }
}
