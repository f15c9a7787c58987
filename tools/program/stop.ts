/** Ends a run with a message for its user. */
export class Stop extends Error {}

/** Ends a run because its user has asked how to use the program. The message says it. */
export class Help extends Error {}

/** The message of an error with its cause: `fetch failed` alone helps nobody. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A connection error has a code, and sometimes no message.
  const message = error.message || String('code' in error ? error.code : error.name);
  const why = error.cause instanceof Error ? reasonOf(error.cause) : '';
  return message.includes(why) ? message : `${message}: ${why}`;
}

/** Text for a terminal. Escape sequences in it, which a service or a file may have sent, would command the terminal. */
export const printable = (text: string): string =>
  text.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** In UTF-16 units. */
const MAX_QUOTED = 2_000;

/** A text of somebody else for use in a sentence: one line, so that it cannot look like another one, and cut, so that it does not fill the terminal. */
export const quoted = (text: string): string =>
  printable(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text).replaceAll('\n', '\\u{a}');

/** Tells the user of a program. */
export const say = (sentence: string): void => {
  process.stderr.write(`${printable(sentence)}\n`);
};

/** Says why a run ends. @returns its exit code */
function explain(error: unknown, failure: number): number {
  if (!(error instanceof Help)) {
    say(reasonOf(error));
    return failure;
  }
  process.stdout.write(`${error.message}\n`);
  return 0;
}

/** Runs a program until it says its exit code. An error is said, and gives the code of a failure. */
export function runMain(main: () => Promise<number>, failure = 2): void {
  // Until it has ended.
  process.exitCode = failure;
  main().then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      process.exitCode = explain(error, failure);
    },
  );
}

/** The options of a program without a main function. A wrong one ends it. */
export function orEnd<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    return process.exit(explain(error, 2));
  }
}

/** Such as "1,000 users" or "1 user". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
