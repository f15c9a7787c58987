import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';

const MARK = Buffer.from('"B":"');
const QUOTE = '"';
const PADDING = '=';

/** Characters. The SDK reads shorter texts in no time. */
const LONG = 4_096;

/** Stands for a binary that was taken out. No base64 begins so. */
const STAND_IN = '#';

/** Characters that are decoded at a time: longer texts would wait for a whole garbage collection. */
const SLICE = 2 ** 15;

/** The bytes of base64; undefined if it is none. Node itself skips characters that do not belong there. */
function decode(base64: Buffer): Buffer | undefined {
  const end = base64.indexOf(PADDING);
  const padding = end < 0 ? 0 : base64.length - end;
  if (padding > 2) return undefined;
  const bytes = Buffer.allocUnsafeSlow(Math.ceil((base64.length * 3) / 4) - padding);
  let size = 0;
  for (let at = 0; at < base64.length; at += SLICE) {
    size += bytes.write(base64.toString('latin1', at, at + SLICE), size, 'base64');
  }
  return base64.length % 4 === 0 && size === bytes.length ? bytes : undefined;
}

/**
 * As long as its response says: pieces that wait for the others, to be joined, would wait for a whole garbage collection, too. No listener stays
 * with the response, which its connection keeps until the next one.
 */
async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  let body = Buffer.allocUnsafeSlow(Number(stream.headers['content-length'] ?? 0));
  let size = 0;
  const add = (chunk: Buffer): void => {
    if (size + chunk.length > body.length) body = Buffer.concat([body.subarray(0, size)], 2 * (size + chunk.length));
    size += chunk.copy(body, size);
  };
  stream.on('data', add);
  await finished(stream, { cleanup: true });
  stream.off('data', add);
  return body.subarray(0, size);
}

/**
 * Reads responses for the SDK, which needs 20 ms of processor time for each megabyte of binaries: as JSON, as a text, and as bytes. Here long
 * ones are taken from the bytes of a response, before it parses them, and given back when it asks for their base64. A text in which `"B":"`
 * stands has its quotes escaped, so nothing else looks like that. JSON that is spaced or escaped in another way is left to the SDK.
 */
export function readBinaries() {
  const taken = new Map<string, Buffer>();
  let last = 0;

  function withoutBinaries(body: Buffer): Buffer {
    const kept: Buffer[] = [];
    const found = new Map<string, Buffer>();
    let done = 0;
    for (let at = body.indexOf(MARK); at >= 0; at = body.indexOf(MARK, at)) {
      at += MARK.length;
      const end = body.indexOf(QUOTE, at);
      const bytes = end - at > LONG ? decode(body.subarray(at, end)) : undefined;
      if (bytes === undefined) continue;
      const name = `${STAND_IN}${last++}`;
      found.set(name, bytes);
      kept.push(body.subarray(done, at), Buffer.from(name));
      done = end;
    }
    if (found.size === 0) return body;
    const rest = Buffer.concat([...kept, body.subarray(done)]);
    // Where the rest is broken, the SDK would never ask for them.
    JSON.parse(rest.toString());
    for (const [name, bytes] of found) taken.set(name, bytes);
    return rest;
  }

  return {
    streamCollector: async (stream: IncomingMessage): Promise<Uint8Array> => withoutBinaries(await bodyOf(stream)),

    /** @throws {Error} for what is no base64, as the SDK's own: the response is broken */
    base64Decoder(text: string): Uint8Array {
      const bytes = taken.get(text) ?? decode(Buffer.from(text, 'latin1'));
      taken.delete(text);
      if (bytes === undefined) throw new Error('A binary is no base64');
      return bytes;
    },
  };
}
