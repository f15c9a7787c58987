import type { APIGatewayProxyResult } from 'aws-lambda';

const JSON_TYPE = { 'content-type': 'application/json' };

export const ok = (body: object): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: JSON_TYPE,
  body: JSON.stringify(body),
});

export const created = (location: string, body: object): APIGatewayProxyResult => ({
  statusCode: 201,
  headers: { ...JSON_TYPE, location },
  body: JSON.stringify(body),
});

export const noContent = (): APIGatewayProxyResult => ({ statusCode: 204, body: '' });
