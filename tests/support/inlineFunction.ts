import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';

/** Calls of AWS, by the names of their commands. */
export type AwsCalls = Record<string, (input: Record<string, string>) => unknown>;

class Client {
  send = (sent: { run: () => unknown }) => sent.run();
}

/**
 * Loads the function in a template as Lambda does: a CommonJS module, with these calls of AWS in place of the SDK.
 *
 * @param globals further ones, and others than the usual, such as `console`
 */
export function loadInline<Handler>(
  code: string,
  env: Record<string, string>,
  calls: AwsCalls,
  globals: object,
): Handler {
  const command = (call: AwsCalls[string]) =>
    class {
      readonly run: () => Promise<unknown>;
      constructor(input: Record<string, string>) {
        this.run = async () => call(input);
      }
    };
  const commands = Object.entries(calls).map(([name, call]) => [`${name}Command`, command(call)]);
  const sdk: object = new Proxy(Object.fromEntries(commands), {
    get: (known, name: string) => (name.endsWith('Client') ? Client : known[name]),
  });
  const requireNode = createRequire(import.meta.url);
  const require = (name: string) => (name.startsWith('@aws-sdk/') ? sdk : requireNode(name));
  const exports = {} as { handler: Handler };
  const usual = { AbortSignal, Buffer, URLSearchParams, fetch };
  runInNewContext(code, { ...usual, exports, process: { env }, require, ...globals });
  return exports.handler;
}
