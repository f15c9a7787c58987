import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Headers;
  body: string;
}

function dechunked(text: string): string {
  const size = Number.parseInt(text, 16);
  if (!(size > 0)) return '';
  const start = text.indexOf('\r\n') + 2;
  return text.slice(start, start + size) + dechunked(text.slice(start + size + 2));
}

/** The first final response in the bytes of a connection. */
export function parseResponse(bytes: string): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  const [start = '', ...fields] = bytes.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
  const rest = bytes.slice(end + 4);
  if (end < 0 || !status) throw new Error(`This is not a response: ${bytes.slice(0, 500)}`);
  if (status < 200) return parseResponse(rest);
  const headers = new Headers();
  for (const field of fields) headers.append(field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1));
  const length = headers.get('content-length');
  const isChunked = headers.get('transfer-encoding') === 'chunked';
  const body = isChunked ? dechunked(rest) : rest.slice(0, length === null ? undefined : Number(length));
  return { status, headers, body: Buffer.from(body, 'latin1').toString() };
}

/** How long to wait before ending the connection: the server may expect the rest of the request, or another one. */
const PATIENCE_MS = { untilResponse: 2_000, afterResponse: 250 };

/** A status other than `100 Continue`. */
const FINAL = /^HTTP\/1\.1 [2-5]/m;

/** Sends bytes unchanged, and reads until the other side ends. @throws {Error} when it does not end in time */
export function sendRaw(port: number, request: string | Buffer, timeoutMs = 300_000): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect({ port, host: 'localhost', allowHalfOpen: true });
    const hang = setTimeout(() => {
      reject(new Error(`No end within ${timeoutMs} ms, after: ${response.slice(0, 500)}`));
      socket.destroy();
    }, timeoutMs);
    socket.setEncoding('latin1').setTimeout(PATIENCE_MS.untilResponse, () => socket.end());
    socket.on('data', (chunk) => {
      response += chunk;
      if (FINAL.test(response)) socket.setTimeout(PATIENCE_MS.afterResponse);
    });
    socket.on('end', () => socket.end());
    // A server that refuses a body may close the connection while the body is being sent.
    socket.on('error', (error) => (response === '' ? reject(error) : resolve(response)));
    socket.on('close', () => {
      clearTimeout(hang);
      resolve(response);
    });
    socket.write(request);
  });
}
