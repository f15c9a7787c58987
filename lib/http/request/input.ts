import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** Takes values from a request and checks them. @throws {ServiceError} when one is not valid */
export type Reader<Value> = (event: APIGatewayProxyEvent) => Value;

/** For endpoints without parameters. */
export const noParameters: Reader<undefined> = () => undefined;

/** An event with what was taken from it. */
type WithInput<Input> = APIGatewayProxyEvent & { input: Input };

/** Checks body and parameters before the handler runs, and hands on the typed values. */
export const validate = <Input>(read: Reader<Input>): MiddlewareObj<WithInput<Input>, APIGatewayProxyResult> => ({
  before: ({ event }) => {
    event.input = read(event);
  },
});
