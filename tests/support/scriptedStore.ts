import { json as jsonOf } from 'node:stream/consumers';
import { createDynamo } from '../../lib/dynamodb/index.ts';
import { type Runtime, systemRuntime } from '../../lib/ground/index.ts';
import { serveForTest } from './programs.ts';

export interface ScriptedResponse {
  status?: number;
  json: Record<string, unknown>;
}

/** A DynamoDB that sends these responses one after another, and ends with the test. Returns its client and the bodies of the requests. */
export async function scriptedStore(responses: ScriptedResponse[], runtime: Partial<Runtime> = {}) {
  const requests: Record<string, unknown>[] = [];
  const pauses: number[] = [];
  const endpoint = await serveForTest(async (request, response) => {
    requests.push((await jsonOf(request)) as Record<string, unknown>);
    const { status = 200, json } = responses.shift() ?? { status: 500, json: {} };
    response.writeHead(status).end(JSON.stringify(json));
  });
  const sleep = async (milliseconds: number) => pauses.push(milliseconds);
  const whole = { ...systemRuntime, random: () => 0.5, sleep, ...runtime };
  const dynamo = createDynamo({ endpoint, runtime: whole });
  return { dynamo, runtime: whole, requests, pauses };
}
