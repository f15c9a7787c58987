import { ServiceError } from './errors.ts';
import { escapeBreaks } from './jsonLines.ts';
import { optionalVariable } from './runtime.ts';

/** Connects the line with the X-Ray trace of the request. */
function trace(): { trace?: string } {
  const root = /Root=([^;]+)/.exec(optionalVariable('_X_AMZN_TRACE_ID') ?? '')?.[1];
  return root === undefined ? {} : { trace: root };
}

/** One line of JSON. Not `console`: Lambda puts a time and a level before its lines, and they would not be JSON. */
export const logLine = (line: { level: 'info' | 'error' } & Record<string, unknown>): void => {
  process.stdout.write(`${escapeBreaks(JSON.stringify({ ...line, ...trace() }))}\n`);
};

const MAX_CAUSES = 5;

/** The stack frames, which V8 puts below name and message. Empty if the stack begins with other text: a message may look like frames. */
function framesOf({ name, message, stack = '' }: Error): string[] {
  const head = [`${name}: ${message}`, name].find((text) => stack.startsWith(`${text}\n`));
  return head === undefined ? [] : stack.slice(head.length + 1).split('\n');
}

/** Logs the messages of this service. Other messages may quote what a user sent, so only the name of the error is logged. */
function describe(error: Error): string {
  const title = error instanceof ServiceError ? `${error.name}: ${error.message}` : error.name;
  return [title, ...framesOf(error)].join('\n');
}

/** One JSON line per fault: its kind and its stack frames. */
export function logFault(error: Error, requestId: string | undefined): void {
  const causes: string[] = [];
  for (let cause: unknown = error; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause) {
    causes.push(describe(cause));
  }
  const message = error instanceof ServiceError ? error.message : error.name;
  logLine({ level: 'error', requestId, message, causes });
}
