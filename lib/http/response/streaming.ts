import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import Negotiator from 'negotiator';
import { logFault } from '../../log.ts';
import { optionalVariable } from '../../runtime.ts';
import { endpoint, type Handler, observed, type Respond, stack } from '../endpoint.ts';

/** An answer whose content is made while it is sent. */
export type StreamedResult = Omit<APIGatewayProxyResult, 'body'> & { body: string | AsyncIterable<string> };

/** What Lambda defines for functions that stream: https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
interface LambdaRuntime {
  streamifyResponse(handler: (event: APIGatewayProxyEvent, out: Writable, context: Context) => Promise<void>): Handler;
  HttpResponseStream: { from(out: Writable, prelude: object): Writable };
}

/** serverless-offline defines it too but does not stream; the AWS SDK leaves an empty object where there is none. */
function lambdaRuntime(): LambdaRuntime | undefined {
  const { awslambda } = globalThis as unknown as { awslambda?: Partial<LambdaRuntime> };
  const isStreaming = awslambda?.streamifyResponse !== undefined && optionalVariable('IS_OFFLINE') === undefined;
  return isStreaming ? (awslambda as LambdaRuntime) : undefined;
}

type RespondInPieces = (event: APIGatewayProxyEvent, context: Context) => Promise<StreamedResult>;

/** The same in one piece. A HEAD has no content, so nothing more is read for it. */
const collected =
  (respond: RespondInPieces): Respond =>
  async (event, context) => {
    const { body, ...result } = await respond(event, context);
    let text = '';
    if (event.httpMethod !== 'HEAD') for await (const chunk of typeof body === 'string' ? [body] : body) text += chunk;
    return { ...result, body: text };
  };

/** A client that does not wait for the end is no fault. */
const isHangUp = (error: Error & { code?: string }): boolean => error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** API Gateway compresses what it has whole, and nothing that it streams. */
const takesGzip = ({ headers }: APIGatewayProxyEvent): boolean => {
  const encodings = headers['accept-encoding'] ?? headers['Accept-Encoding'];
  if (encodings === undefined) return false;
  const wanted = new Negotiator({ headers: { 'accept-encoding': encodings } });
  return wanted.encodings(['gzip', 'identity'])[0] === 'gzip';
};

/** Sends each chunk when it is written, and does not wait for the next ones to be small together. */
const gzip = () => createGzip({ flush: constants.Z_SYNC_FLUSH });

const GZIP_HEADER = { 'content-encoding': 'gzip' };

/** Lambda logs what a function throws, so the cause of a broken answer is logged here and goes no further. */
async function send(
  body: AsyncIterable<string> | string,
  to: Writable,
  isCompressed: boolean,
  { awsRequestId }: Context,
): Promise<void> {
  const chunks = Readable.from(typeof body === 'string' ? [body] : body);
  try {
    await (isCompressed ? pipeline(chunks, gzip(), to) : pipeline(chunks, to));
  } catch (error) {
    if (error instanceof Error && !isHangUp(error)) logFault(error, awsRequestId);
    throw new Error('The answer was cut off');
  }
}

/**
 * A Lambda handler that sends its answer while it is made. Errors up to the first byte are answered as by any other;
 * after it the connection is cut, and what was sent is no complete JSON. Where there is no streaming it is collected.
 */
export function streamingEndpoint(respond: RespondInPieces, mediaTypes: readonly string[]): Handler {
  const runtime = lambdaRuntime();
  if (!runtime) return endpoint(collected(respond), mediaTypes);
  const handler = stack(respond as Handler, mediaTypes) as (...request: Parameters<Handler>) => Promise<StreamedResult>;
  return runtime.streamifyResponse(async (event, out, context) => {
    const answer: Handler = async (...request) => {
      const { body, ...prelude } = await handler(...request);
      const isCompressed = typeof body !== 'string' && takesGzip(event);
      if (isCompressed) prelude.headers = { ...prelude.headers, ...GZIP_HEADER };
      await send(body, runtime.HttpResponseStream.from(out, prelude), isCompressed, context);
      return { ...prelude, body: '' };
    };
    await observed(answer)(event, context);
  });
}
