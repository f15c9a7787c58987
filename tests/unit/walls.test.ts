import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesLike, read } from '../support/files.ts';

/** The packages of lib, and the packages that each may import. The service stands above them, and may import all. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  ground: [],
  columns: [],
  dynamodb: ['ground'],
  rest: ['ground'],
  search: ['columns', 'ground'],
  replica: ['columns', 'dynamodb', 'ground'],
};

/** Folders of programs, of the admin page and of columns, and the folders beside them that each may import: without a circle, and what all need first. */
const FOLDERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  tools: {
    program: [],
    samples: [],
    verify: [],
    deploy: ['program'],
    import: ['program'],
    local: ['deploy', 'program', 'samples'],
    operate: ['deploy', 'local', 'program', 'verify'],
    doors: ['deploy', 'local', 'operate', 'program'],
    check: ['deploy', 'doors', 'local', 'operate', 'program', 'samples'],
  },
  'admin/browser': {
    session: [],
    data: ['session'],
    parts: ['data', 'session'],
    values: ['data', 'parts'],
    many: ['data', 'parts', 'values'],
    changes: ['data', 'parts', 'session'],
    card: ['changes', 'data', 'parts', 'session', 'values'],
    list: ['card', 'data', 'many', 'parts', 'session', 'values'],
    overview: ['changes', 'data', 'list', 'parts', 'session'],
  },
  'lib/columns': {
    work: [],
    values: ['work'],
    stored: ['values', 'work'],
    changed: ['stored', 'values', 'work'],
    asked: ['changed', 'stored', 'values', 'work'],
  },
};

/** The floors of a folder, with its face: a file is one above the highest that it imports. A reader of it has read all below it. */
const FLOORS: Readonly<Record<string, number>> = { 'lib/columns': 9 };

/** Tokens have a face of their own: programs that want one of their names would load the whole stack with the other. */
const FACE = /^lib\/\w+\/(?:tokens\/)?index\.ts$/;

/** Tests of others, and the benchmark, make what is stored, and look at it: a package may have a second face for them alone. */
const INNER_FACE = /^lib\/\w+\/internals\.ts$/;
const mayLookInside = (file: string): boolean => /^(?:bench|tests)\//.test(file);

/** Of files like the first, which files they may not import. */
const PARTS: [part: string, from: RegExp, mayNotImport: RegExp][] = [
  ['a function imports only lib, schemas, and the page that it serves', /^functions\//, /^(?!lib\/|schemas\/|admin\/)/],
  ['a schema imports only schemas', /^schemas\//, /^(?!schemas\/)/],
  ['what is served needs no tools', /^(functions|schemas|lib|admin)\//, /^tools\//],
  [
    'users know no HTTP, and nobody who is told of changes',
    /^lib\/(users|replica|changes|edits)\//,
    /^lib\/(http|rest|openapi|events|roots)\//,
  ],
  ['a door knows the service by its API alone', /^doors\/(?!.*\.test\.ts$)/, /^(?!doors\/)/],
  ['nothing but tests needs tests', /^(admin|bench|doors(?!.*\.test\.ts$)|functions|lib|schemas|tools)\//, /^tests\//],
  ['no program needs the benchmark', /^(admin|functions|lib|schemas|tools)\//, /^bench\//],
  ['the benchmark needs no program beside it', /^bench\//, /^tools\/(?!(deploy|local|program|samples)\/)/],
  ['the store in memory knows only itself', /^tools\/local\/memoryStore\//, /^(?!tools\/local\/memoryStore\/)/],
  [
    'the admin page knows only the contract',
    /^admin\/browser\//,
    /^(?!admin\/(browser\/|settings\.ts$)|schemas\/|lib\/users\/(user|filters)\.ts$|lib\/http\/routes\.ts$|\.local\/openapi\.d\.ts$)/,
  ],
];

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)'(\.[^']+)'/g;

/** Every import of another file of the project. */
const ARROWS = filesLike('{{admin,bench,functions,lib,schemas,tests,tools}/**,doors/{.,*}}/*.{ts,tsx}').flatMap(
  (from) =>
    [...read(from).matchAll(IMPORT)].map(([, path = '']) => ({ from, to: posix.join(posix.dirname(from), path) })),
);

/** The package that a file lies in, if it lies in one. */
function packageOf(file: string): string | undefined {
  const [top, name = ''] = file.split('/');
  return top === 'lib' && Object.hasOwn(BELOW, name) ? name : undefined;
}

/** Whether a file is of a package, or one of its tests, which may look at inner parts. */
const isOf = (name: string, file: string): boolean =>
  file.startsWith(`lib/${name}/`) || new RegExp(`^tests/(unit|property)/${name}[./]`).test(file);

const mayImport = (from: string, to: string): boolean =>
  packageOf(from) === packageOf(to) || (BELOW[packageOf(from) ?? ''] ?? []).includes(packageOf(to) ?? '');

describe('the walls of the packages', () => {
  test('are passed only through their faces', () => {
    const past = ARROWS.filter(({ from, to }) => {
      const name = packageOf(to);
      const isFace = FACE.test(to) || (mayLookInside(from) && INNER_FACE.test(to));
      return name !== undefined && !isOf(name, from) && !isFace;
    });
    expect(ARROWS.length).toBeGreaterThan(1_000);
    expect(
      past.map(({ from, to }) => `${from} imports ${to}: take it from the index.ts beside, or add it there`),
    ).toEqual([]);
  });

  test.each(Object.keys(BELOW))('let %s know only what is below it', (name) => {
    const own = ARROWS.filter(({ from }) => packageOf(from) === name);
    const up = own.filter(({ from, to }) => !mayImport(from, to));
    expect(filesLike(`lib/${name}/**/*.ts`).length).toBeGreaterThan(3);
    expect(
      up.map(({ from, to }) => `${from} imports ${to}: take it as a parameter, or move it into a package below`),
    ).toEqual([]);
  });

  test('leave DynamoDB to lib/dynamodb', () => {
    const others = filesLike('{functions,lib,schemas}/**/*.ts').filter((file) => packageOf(file) !== 'dynamodb');
    expect(others.length).toBeGreaterThan(150);
    const knowing = others.filter((file) => /'@aws-sdk\/(?:client|lib|util)-dynamodb'/.test(read(file)));
    expect(knowing.map((file) => `${file} imports the SDK: call lib/dynamodb/index.ts, or add to it`)).toEqual([]);
  });

  test('keep columns free of packages of npm', () => {
    const sources = filesLike('lib/columns/**/*.ts').map(read);
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.flatMap((source) => source.match(/ from '(?!\.|node:)[^']+'/g) ?? [])).toEqual([]);
  });
});

describe.each(Object.entries(FOLDERS))('the folders of %s', (root, folders) => {
  /** The folder that a file lies in, if it lies in one. */
  const folderOf = (file: string): string | undefined =>
    file.startsWith(`${root}/`) ? /^(\w+)\//.exec(file.slice(root.length + 1))?.[1] : undefined;

  test('are all in the table above', () => {
    const found = new Set(filesLike(`${root}/*/**/*.{ts,tsx}`).map(folderOf));
    expect([...found].toSorted()).toEqual(Object.keys(folders).toSorted());
  });

  test.each(Object.entries(folders))('let %s know only what is below it', (name, below) => {
    const own = ARROWS.filter(({ from }) => folderOf(from) === name);
    const up = own.filter(({ to }) => to.startsWith(root) && ![name, ...below].includes(folderOf(to) ?? ''));
    expect(filesLike(`${root}/${name}/**/*.{ts,tsx}`).length).toBeGreaterThan(2);
    expect(
      up.map(({ from, to }) => `${from} imports ${to}: what both need is one folder below, or a parameter`),
    ).toEqual([]);
  });

  test('have no circle', () => {
    const order = Object.keys(folders);
    for (const [name, below] of Object.entries(folders))
      for (const other of below) expect(order.indexOf(other), `${name} → ${other}`).toBeLessThan(order.indexOf(name));
  });
});

test.each(Object.entries(FLOORS))('%s has at most %i floors', (root, most) => {
  const floors = new Map<string, number>();
  const belowOf = (file: string) => ARROWS.filter(({ from, to }) => from === file && to.startsWith(root));
  const floorOf = (file: string): number => {
    const floor = floors.get(file) ?? 1 + Math.max(0, ...belowOf(file).map(({ to }) => floorOf(to)));
    floors.set(file, floor);
    return floor;
  };
  const files = filesLike(`${root}/**/*.ts`);
  expect(files.length).toBeGreaterThan(30);
  const above = files.filter((file) => floorOf(file) > most);
  expect(above.map((file) => `${file} stands on floor ${floorOf(file)}: hand it what it imports from below`)).toEqual(
    [],
  );
});

test.each(PARTS)('imports go one way: %s', (_, from, mayNotImport) => {
  const own = ARROWS.filter((arrow) => from.test(arrow.from));
  expect(own.length).toBeGreaterThan(3);
  expect(own.filter(({ to }) => mayNotImport.test(to)).map((arrow) => `${arrow.from} imports ${arrow.to}`)).toEqual([]);
});
