import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import Negotiator from 'negotiator';
import { logFault, optionalVariable } from '../ground/index.ts';
import { createEndpoint, type Handler, type InputHandler, instrumented, withMiddlewares } from './endpoint.ts';
import type { Api } from './routes.ts';
import { type Input, takesOf } from './takes.ts';

/** A response whose body may be produced while it is sent. */
export type StreamedResult = Omit<APIGatewayProxyResult, 'body'> & { body: string | AsyncIterable<string> };

/** The object that Lambda defines for functions that stream: https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
interface LambdaRuntime {
  streamifyResponse(handler: (event: APIGatewayProxyEvent, out: Writable, context: Context) => Promise<void>): Handler;
  HttpResponseStream: { from(out: Writable, prelude: object): Writable };
}

/** serverless-offline also defines it, but does not stream. Elsewhere the AWS SDK leaves an empty object. */
function lambdaRuntime(): LambdaRuntime | undefined {
  const { awslambda } = globalThis as unknown as { awslambda?: Partial<LambdaRuntime> };
  const isStreaming = awslambda?.streamifyResponse !== undefined && optionalVariable('IS_OFFLINE') === undefined;
  return isStreaming ? (awslambda as LambdaRuntime) : undefined;
}

const chunksOf = ({ body }: StreamedResult): AsyncIterable<string> | string[] =>
  typeof body === 'string' ? [body] : body;

/** Collects the body before it is sent. */
const collected =
  <Input>(handler: InputHandler<Input, StreamedResult>): InputHandler<Input> =>
  async (input, event, context) => {
    const result = await handler(input, event, context);
    let text = '';
    for await (const chunk of chunksOf(result)) text += chunk;
    return { ...result, body: text };
  };

/** A client that closes the connection early is no fault. */
const isHangUp = (error: Error & { code?: string }): boolean => error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * API Gateway compresses complete responses, and leaves streamed ones to the function:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html
 */
const acceptsGzip = ({ headers }: APIGatewayProxyEvent): boolean => {
  const encodings = headers['accept-encoding'];
  if (encodings === undefined) return false;
  const accepted = new Negotiator({ headers: { 'accept-encoding': encodings } });
  return accepted.encodings(['gzip', 'identity'])[0] === 'gzip';
};

/** Sends each chunk at once, instead of waiting for more to compress together. */
const gzip = () => createGzip({ flush: constants.Z_SYNC_FLUSH });

const GZIP_HEADER = { 'content-encoding': 'gzip' };

/** Lambda logs what a function throws, so the cause of a broken response is logged here, and a constant is thrown. */
async function send(
  result: StreamedResult,
  to: Writable,
  isCompressed: boolean,
  { awsRequestId }: Context,
): Promise<void> {
  const chunks = Readable.from(chunksOf(result));
  try {
    await (isCompressed ? pipeline(chunks, gzip(), to) : pipeline(chunks, to));
  } catch (error) {
    if (error instanceof Error && !isHangUp(error)) logFault(error, awsRequestId);
    throw new Error('The response was cut off');
  }
}

/**
 * Makes Lambda handlers that send their response while it is produced. An error before the first byte becomes a normal error
 * response. A later error cuts the connection, and the part that was sent is not complete JSON. If Lambda does not stream,
 * the response is collected first.
 */
export const createStreamingEndpoint =
  (api: Api) =>
  <Value>(
    input: Input<Value>,
    handler: InputHandler<Value, StreamedResult>,
    mediaTypes: readonly string[],
  ): Handler => {
    const runtime = lambdaRuntime();
    if (!runtime) return createEndpoint(api)(input, collected(handler), mediaTypes);
    const wrapped = withMiddlewares(api, { takes: takesOf(input), mediaTypes }, handler);
    return runtime.streamifyResponse(async (event, out, context) => {
      const respond: Handler = async (request, ...rest) => {
        const result = await wrapped(request, ...rest);
        // A HEAD has no content, so nothing more is read. A stream has no length.
        const { body, ...prelude } = request.httpMethod === 'HEAD' ? { ...result, body: '' } : result;
        const isCompressed = typeof body !== 'string' && acceptsGzip(request);
        if (isCompressed) prelude.headers = { ...prelude.headers, ...GZIP_HEADER };
        await send({ ...prelude, body }, runtime.HttpResponseStream.from(out, prelude), isCompressed, context);
        return { ...prelude, body: '' };
      };
      await instrumented(api, respond)(event, context);
    });
  };
