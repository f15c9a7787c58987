import { createServer } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createDynamo } from '../../lib/dynamodb/client.ts';
import { type Runtime, systemRuntime } from '../../lib/runtime.ts';
import { useLocalCredentials } from '../../tools/local/workFolder.ts';
import { close, listen } from './servers.ts';

export interface ScriptedResponse {
  status?: number;
  json: Record<string, unknown>;
}

/** A DynamoDB that sends these responses one after another, and ends with the test. Returns its client and the bodies of the requests. */
export async function scriptedStore(responses: ScriptedResponse[], runtime: Partial<Runtime> = {}) {
  useLocalCredentials();
  process.env.AWS_REGION ??= 'local';
  const requests: Record<string, unknown>[] = [];
  const pauses: number[] = [];
  const server = createServer(async (request, response) => {
    requests.push((await jsonOf(request)) as Record<string, unknown>);
    const { status = 200, json } = responses.shift() ?? { status: 500, json: {} };
    response.writeHead(status).end(JSON.stringify(json));
  });
  onTestFinished(() => close(server));
  const sleep = async (milliseconds: number) => pauses.push(milliseconds);
  const whole = { ...systemRuntime, random: () => 0.5, sleep, ...runtime };
  const dynamo = createDynamo({ endpoint: await listen(server), runtime: whole });
  return { dynamo, runtime: whole, requests, pauses };
}
