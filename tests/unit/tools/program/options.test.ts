import { afterEach, describe, expect, test } from 'vitest';
import { FLAG, readArgument, readOptions, readUrl, TEXT } from '../../../../tools/program/options.ts';
import { Help } from '../../../../tools/program/stop.ts';

const [ARGUMENTS, USAGE] = [process.argv, 'Usage: npm run move -- --url <base URL>\n  --dry  only looks'];

afterEach(() => {
  process.argv = ARGUMENTS;
});

function read(...given: string[]) {
  process.argv = ['node', 'move.ts', ...given];
  const { url, dry } = readOptions({ url: TEXT, dry: FLAG }, USAGE);
  return { dry, url: readUrl(url, USAGE) };
}

describe('the options of a program', () => {
  test.each([
    ['--url is missing'],
    ['--url is missing', '--url', ''],
    ['--url is missing', '--url', ' '],
    ['--url is there twice', '--url', 'http://a.example', '--url', 'http://b.example'],
    ["Option '--url <value>' argument missing", '--url'],
    ["Option '--url' argument is ambiguous", '--url', '--dry'],
    ["Option '--dry' does not take an argument", '--dry=1'],
    ["Unexpected argument 'x': options go after --", 'x'],
  ])('are refused in one line that names the wrong one: %s', (reason, ...given) => {
    expect(() => read(...given)).toThrow(new Error(`${reason}. See npm run move -- --help`));
  });

  test.each([['--help'], ['-h'], ['--url', 'x', '--help', '--other']])(
    'are explained when asked: %s %s',
    (...given) => {
      expect(() => read(...given)).toThrow(new Help(USAGE));
    },
  );

  test('have a URL with its scheme', () => {
    expect(() => read('--url', 'localhost:3000')).toThrow(
      'The URL localhost:3000 lacks http:// or https:// at its beginning',
    );
  });

  test('have a URL without what a client adds to it', () => {
    expect(read('--dry', '--url', 'http://a.example/prod/api/users?x=1')).toEqual({
      dry: true,
      url: 'http://a.example/prod',
    });
  });

  test('may be none, but one value', () => {
    process.argv = ['node', 'move.ts', 'http://a.example'];
    expect(readArgument(USAGE)).toBe('http://a.example');
    process.argv.push('http://b.example');
    expect(() => readArgument(USAGE)).toThrow('Only one argument is read, without http://b.example');
    process.argv.splice(2, 2, '');
    expect(() => readArgument(USAGE)).toThrow('An argument is empty');
  });
});
