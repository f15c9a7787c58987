import { describe, expect, test } from 'vitest';
import { fetchJars } from '../../../../tools/check/java.ts';
import { findPython } from '../../../../tools/check/python.ts';
import { MOTO } from '../../../../tools/check/rehearsal/standIn.ts';

const well = (said = '') => ({ isWell: true, said });
const missing = { isWell: false, said: 'spawn ENOENT' };

/** A machine whose programs end like this, by the beginning of a command line. It records the commands. */
function machine(outcomes: Record<string, { isWell: boolean; said: string }>) {
  const ran: string[] = [];
  const run = (program: string, options: readonly string[]) => {
    const line = [program, ...options].join(' ');
    ran.push(line);
    return Object.entries(outcomes).find(([start]) => line.startsWith(start))?.[1] ?? missing;
  };
  return { run, ran };
}

describe('the rehearsal', () => {
  test('says in one sentence that Python is missing', () => {
    expect(() => findPython(MOTO, machine({}).run)).toThrow(
      /^The rehearsal needs Python 3\.10 or newer as "python3", with venv: nothing was rehearsed\.$/,
    );
  });

  test('uses what it installed before', () => {
    const { run, ran } = machine({ 'python3 -c': well(), '.local/rehearsal/venv/bin/python -c': well() });
    expect(findPython(MOTO, run)).toBe('.local/rehearsal/venv/bin/python');
    expect(ran).toHaveLength(2);
  });

  test('says why moto cannot be installed', () => {
    const { run } = machine({
      'python3 ': well(),
      '.local/rehearsal/venv/bin/python -m pip': { isWell: false, said: 'no index' },
    });
    expect(() => findPython(MOTO, run)).toThrow(/^moto could not be installed: no index$/);
  });
});

describe('a program in Java', () => {
  const program = {
    ...{ name: 'DynamoDB Local', user: 'The test on it', loss: 'nothing was tested' },
    ...{ pom: 'pom.xml', folder: '.local/it', jar: 'it.jar' },
  };
  const jdk = { 'java -version': well('openjdk version "17.0.15" 2025-04-15'), 'javac -version': well('javac 17') };

  test.each([
    ['there is no Java', {}],
    ['it is older than 17', { ...jdk, 'java -version': well('openjdk version "11.0.2"') }],
    ['it is not a JDK', { ...jdk, 'javac -version': missing }],
  ])('is not run when %s, with a message', (_, outcomes) => {
    expect(() => fetchJars(program, machine(outcomes).run, () => true)).toThrow(
      /^The test on it needs a JDK, 17 or newer: nothing was tested\.$/,
    );
  });

  test('is downloaded once', () => {
    const { run, ran } = machine({ ...jdk, mvn: well() });
    fetchJars(program, run, () => true);
    expect(ran.filter((line) => line.startsWith('mvn'))).toEqual([]);
    fetchJars(program, run, () => false);
    expect(ran.filter((line) => line.startsWith('mvn -q'))).toHaveLength(1);
  });

  test('says that Maven is missing', () => {
    expect(() => fetchJars(program, machine(jdk).run, () => false)).toThrow(
      /^Maven \("mvn"\) is needed to download DynamoDB Local, and is not there: nothing was tested\.$/,
    );
  });
});
