import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APIGatewayClient, GetRestApisCommand, GetStageCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, SetAlarmStateCommand, type StateValue } from '@aws-sdk/client-cloudwatch';
import { faultsAlarm } from '../../deploy/monitoring.ts';
import { alreadyRings } from '../../deploy/rollback.ts';
import { SERVICE, stackOf } from '../../operate/stages.ts';
import { versionIn } from '../../operate/versions.ts';
import { expectEqual, expectRefusal, expectSaid, expectWell } from './expectations.ts';
import { type Outcome, REGION, type Rehearsal } from './run.ts';
import { serve } from './serve.ts';

async function versionOf({ standIn: { endpoint } }: Rehearsal, stage: string): Promise<string | undefined> {
  const client = new CloudFormationClient({ endpoint, region: REGION });
  const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName: stackOf(stage) }));
  return versionIn(TemplateBody);
}

/** The deployment of the API that a stage serves. */
async function deploymentOf({ standIn: { endpoint } }: Rehearsal, stageName: string): Promise<string | undefined> {
  const client = new APIGatewayClient({ endpoint, region: REGION });
  const { items = [] } = await client.send(new GetRestApisCommand({}));
  const restApiId = items.find(({ name }) => name === `${stageName}-${SERVICE}`)?.id;
  return (await client.send(new GetStageCommand({ restApiId, stageName }))).deploymentId;
}

async function setAlarm(
  { standIn: { endpoint } }: Rehearsal,
  AlarmName: string,
  StateValue: StateValue,
): Promise<void> {
  const client = new CloudWatchClient({ endpoint, region: REGION });
  await client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'rehearsal' }));
}

/** docs/deployment.md, "A version that fails": faults during a deployment take it back. */
export async function faultsTakeBack(rehearsal: Rehearsal, stage: string): Promise<void> {
  const { serverless, standIn } = rehearsal;
  const state = async () => [await versionOf(rehearsal, stage), await deploymentOf(rehearsal, stage)];
  const before = await state();
  standIn.breakResources(['FaultsAlarm']);
  const said = expectRefusal(await serverless(`deploy --stage ${stage} --force`), 'went off');
  standIn.breakResources([]);
  expectSaid(said, `:alarm:${faultsAlarm(stackOf(stage))} `);
  expectEqual(await state(), before, 'version and deployment of the API');
}

const deployTested = ({ node }: Rehearsal, stage: string, url: string, CORS_ORIGINS: string): Promise<Outcome> =>
  node(`tools/operate/deploy.ts --stage ${stage} --url ${url}`, { CORS_ORIGINS, TOKEN: 'rehearsal' });

/** docs/deployment.md, "A version that fails": it is taken back if it fails the smoke test. */
export async function failedTestTakesBack(rehearsal: Rehearsal, stage: string): Promise<void> {
  const before = await versionOf(rehearsal, stage);
  // The bad version: its first request raises the alarm, which must not stop its end.
  const bad = createServer((_, response) => {
    rehearsal.standIn.breakResources(['FaultsAlarm']);
    response.writeHead(500).end();
  });
  const port = await new Promise<number>((resolve) =>
    bad.listen(0, '127.0.0.1', () => resolve((bad.address() as AddressInfo).port)),
  );
  expectRefusal(
    await deployTested(rehearsal, stage, `http://127.0.0.1:${port}`, 'https://bad.example.com'),
    `It runs the version of ${before} again, which fails it, too.`,
  );
  bad.close();
  rehearsal.standIn.breakResources([]);
  expectEqual(await versionOf(rehearsal, stage), before, 'version');
}

/** On the same page: a version that passes the test stays, even while the alarm is on, which it may be about to end. */
export async function passedTestStays(rehearsal: Rehearsal, stage: string): Promise<void> {
  const before = await versionOf(rehearsal, stage);
  const service = await serve(rehearsal, stage);
  const alarm = faultsAlarm(stackOf(stage));
  try {
    await setAlarm(rehearsal, alarm, 'ALARM');
    const deployed = await deployTested(rehearsal, stage, service.url, 'https://good.example.com');
    expectSaid(expectWell(deployed), alreadyRings(alarm));
    await setAlarm(rehearsal, alarm, 'OK');
  } finally {
    await service.end();
  }
  if ((await versionOf(rehearsal, stage)) === before) throw new Error('The version that passed did not stay');
}
