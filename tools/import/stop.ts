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

/** Tells the user of a program. */
export const say = (sentence: string): void => {
  process.stderr.write(`${printable(sentence)}\n`);
};

/** Runs a program until it says its exit code. An error is said, and gives the code of a failure. */
export function runMain(main: () => Promise<number>, failure = 2): void {
  // Until it has ended.
  process.exitCode = failure;
  main().then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      if (!(error instanceof Help)) return say(reasonOf(error));
      process.exitCode = 0;
      process.stdout.write(`${error.message}\n`);
    },
  );
}

/** Such as "1,000 users" or "1 user". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
