import { STATUS_CODES } from 'node:http';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import Negotiator from 'negotiator';
import type { ErrorBody } from '../../../schemas/error.ts';
import { type Failure, fault, ServiceError, unavailable } from '../../errors.ts';
import { logFault } from '../../log.ts';
import { JSON_TYPE, PROBLEM_TYPE } from '../mediaTypes.ts';

/** The messages for clients about faults. The cause is in the log. */
const SERVER_MESSAGES: Record<number, string> = {
  500: 'Internal server error',
  503: 'Service temporarily unavailable, please try again',
};

export const errorBody = (status: number, message: string): ErrorBody => ({
  status,
  message: SERVER_MESSAGES[status] ?? message,
});

/** RFC 9457. `errors` has all failures of a validation, with JSON Pointers to the members. */
function problem(status: number, message: string, failures: readonly Failure[]) {
  const { message: detail } = errorBody(status, message);
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    ...(failures.length > 0 && { errors: failures }),
  };
}

/** Errors of middy's own middlewares have a status. */
interface MiddlewareError extends Error {
  statusCode: number;
}

const isMiddlewareError = (error: unknown): error is MiddlewareError =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isMiddlewareError(error)) return new ServiceError(error.statusCode, error.message, { cause: error });
  if (error instanceof Error && error.name === 'TimeoutError')
    return unavailable('The function ran out of time', error);
  return fault('Unexpected error', error);
}

/** Only a client that names `application/problem+json` gets it. */
export const prefersProblem = ({ headers }: APIGatewayProxyEvent): boolean =>
  new Negotiator({ headers }).mediaType([JSON_TYPE, PROBLEM_TYPE]) === PROBLEM_TYPE;

/** Gives every error the same shape. `@middy/http-error-handler` sends it. Faults are logged here, once. */
export const shapeErrors = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  onError: (request) => {
    const error = toServiceError(request.error);
    if (error.status >= 500) logFault(error, request.context.awsRequestId);
    const body = prefersProblem(request.event)
      ? problem(error.status, error.message, error.failures)
      : errorBody(error.status, error.message);
    request.error = Object.assign(new Error(JSON.stringify(body)), {
      statusCode: error.status,
      headers: error.headers,
      expose: true,
    });
  },
});
