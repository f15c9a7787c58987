import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { currentMeter, type Meter } from '../../metering.ts';

/** Server-Timing (https://www.w3.org/TR/server-timing/): browsers show it next to the request. */
export function serverTiming({ plan, journal, readUnits, writeUnits, dynamoMs }: Meter): string {
  const units = writeUnits > 0 ? `${readUnits} RRU, ${writeUnits} WRU` : `${readUnits} RRU`;
  return [
    ...(plan === undefined ? [] : [`plan;desc="${plan}"`]),
    ...(journal === undefined ? [] : [`journal;desc="${journal}"`]),
    `dynamodb;desc="${units}";dur=${dynamoMs}`,
  ].join(', ');
}

function addTo(response: APIGatewayProxyResult): void {
  const meter = currentMeter();
  if (!meter || meter.calls === 0) return;
  response.headers = { ...response.headers, 'server-timing': serverTiming(meter) };
}

/** Shows what a request cost, even when it failed. */
export const addServerTiming = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  after: ({ response }) => {
    if (response) addTo(response);
  },
  onError: ({ response }) => {
    if (response) addTo(response);
  },
});
