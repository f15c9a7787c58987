import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { fault, logFault, note, ServiceError, unavailable } from '../ground/index.ts';
import { typeOf } from './errors.ts';
import { prefersProblem } from './mediaTypes.ts';

/** The body of every error. */
export interface ErrorBody {
  status: number;
  message: string;
}

/** That of a client that prefers problem details (RFC 9457). */
interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: { detail: string; pointer: string }[];
}

/** The messages for clients about faults. The cause is in the log. */
const SERVER_MESSAGES: Record<number, string> = {
  500: 'Internal server error',
  503: 'Service temporarily unavailable, please try again',
};

const errorBody = (status: number, message: string): ErrorBody => ({
  status,
  message: SERVER_MESSAGES[status] ?? message,
});

/** RFC 9457. `errors` has all failures of a validation, with JSON Pointers to the members. */
const problem = ({ code, meaning, status, detail, failures }: ServiceError): ProblemBody => ({
  type: typeOf(code),
  title: meaning,
  status,
  detail: errorBody(status, detail).message,
  ...(failures.length > 0 && { errors: [...failures] }),
});

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof Error && error.name === 'TimeoutError')
    return unavailable('The function ran out of time', error);
  return fault('Unexpected error', error);
}

/** The error as a client is told of it. A fault is logged here, once. */
function told(cause: unknown, requestId: string | undefined): ServiceError {
  const error = toServiceError(cause);
  if (error.status >= 500) logFault(error, requestId);
  return error;
}

/** The error of a part of a request, as a client is told of it. The other parts go on. */
export function failureOf(cause: unknown, requestId: string | undefined): ErrorBody & { code: string } {
  const { code, status, message } = told(cause, requestId);
  return { ...errorBody(status, message), code };
}

/** Gives every error the same shape. `@middy/http-error-handler` sends it. */
export const shapeErrors = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  onError: (request) => {
    const error = told(request.error, request.context.awsRequestId);
    note({ code: error.code });
    const body = prefersProblem(request.event) ? problem(error) : errorBody(error.status, error.message);
    request.error = Object.assign(new Error(JSON.stringify(body)), {
      statusCode: error.status,
      headers: error.headers,
      expose: true,
    });
  },
});
