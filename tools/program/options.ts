import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { Help, reasonOf, Stop } from './stop.ts';

export const TEXT = { type: 'string' } as const;
export const TEXTS = { type: 'string', multiple: true } as const;
export const FLAG = { type: 'boolean', default: false } as const;
const HELP = { help: { ...FLAG, short: 'h' } } as const;

/** Says what is wrong in one line, and where the right options stand. */
function wrong(reason: string, usage: string): Stop {
  const [program = ''] = /npm run [\w:-]+/.exec(usage) ?? [];
  return new Stop(`${reason}. See ${program} -- --help`);
}

/** The first sentence of what Node says. A value without an option is what is left of options that npm has kept for itself. */
function reasonIn(error: unknown): string {
  const [reason = ''] = reasonOf(error).split(/\. |\.?\n/);
  return reason.startsWith('Unexpected argument') ? `${reason}: options go after --` : reason;
}

/** Options whose value may be empty, as that means something there. */
const MAY_BE_EMPTY = ['null'];

/** Why options are not what was meant: Node takes an empty text, and the last of several values. */
function flawIn({ options = {} }: ParseArgsConfig, args: string[]): string | undefined {
  const { tokens } = parseArgs({ args, options, allowPositionals: true, tokens: true });
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional' && token.value.trim() === '') return 'An argument is empty';
    if (token.kind !== 'option') continue;
    const { name, value } = token;
    if (value?.trim() === '' && !MAY_BE_EMPTY.includes(name)) return `--${name} is missing`;
    if (seen.has(name) && value !== undefined && !options[name]?.multiple) return `--${name} is there twice`;
    seen.add(name);
  }
  return undefined;
}

function parse<const Config extends ParseArgsConfig>(config: Config, usage: string) {
  const args = process.argv.slice(2);
  if (parseArgs({ args, options: HELP, strict: false }).values.help) throw new Help(usage);
  try {
    const parsed = parseArgs({ args, ...config });
    const flaw = flawIn(config, args);
    if (flaw === undefined) return parsed;
    throw new Error(flaw);
  } catch (error) {
    throw wrong(reasonIn(error), usage);
  }
}

/**
 * The options that a program was started with.
 *
 * @throws {Stop} with the first one that is wrong
 * @throws {Help} for `--help`
 */
export const readOptions = <const Options extends ParseArgsOptionsConfig>(options: Options, usage: string) =>
  parse({ options }, usage).values;

/** The same with words beside the options. @throws as readOptions */
export const readCommand = <const Options extends ParseArgsOptionsConfig>(options: Options, usage: string) =>
  parse({ options, allowPositionals: true }, usage);

/** The values that a program without options was started with. @throws as readOptions */
export const readArguments = (usage: string): string[] => parse({ allowPositionals: true }, usage).positionals;

/** @throws {Stop} also when there is another one, which nobody would read */
export function readArgument(usage: string): string | undefined {
  const [first, another] = readArguments(usage);
  if (another !== undefined) throw wrong(`Only one argument is read, without ${another}`, usage);
  return first;
}

/** @throws {Stop} when an option, which is called `name`, is missing or empty */
export function required(name: string, value: string | undefined, usage: string): string {
  if (!value) throw wrong(`${name} is missing`, usage);
  return value;
}

/** The number that an option, which is called `name`, has. @throws {Stop} when it is none, or too small */
export function readInteger(name: string, text: string, least: number, usage: string): number {
  const value = Number(text || Number.NaN);
  if (!Number.isSafeInteger(value) || value < least) throw wrong(`${name} must be an integer from ${least} on`, usage);
  return value;
}

/** The port of a service on this machine, if `--port` names one. @throws {Stop} when it names none */
export const readPort = (text: string | undefined, usage: string): number | undefined =>
  text === undefined ? undefined : readInteger('--port', text, 1, usage);

/**
 * The URL of a service, without a slash at its end.
 *
 * @throws {Stop} when there is none, and with what is missing when it is no URL
 */
export function readUrl(given: string | undefined, usage: string, name = '--url'): string {
  const url = required(name, given, usage);
  if (!/^https?:\/\//i.test(url)) throw new Stop(`The URL ${url} lacks http:// or https:// at its beginning`);
  if (!URL.canParse(url)) throw new Stop(`${url} is not a URL`);
  return url.replace(/[?#].*$/, '').replace(/(?<!\/)\/+(?:api\/users\/?)?$/, '');
}
