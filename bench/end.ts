/** Where it ends: some million users in the memory of one process, without a store. Each size in a fresh process. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import {
  compaction,
  countsOf,
  open,
  pack,
  pageOf,
  type Replica,
  type Row,
  replicaFrom,
  rowsOf,
  withChanges,
} from '../lib/columns/index.ts';
import { systemRuntime } from '../lib/ground/index.ts';
import { readPage } from '../lib/http/queries/lists.ts';
import { LIMITS } from '../lib/replica/index.ts';
import { createMerging } from '../lib/replica/internals.ts';
import { questionOf } from '../lib/users/asked.ts';
import { COLUMNS } from '../lib/users/columns.ts';
import { totalOrder } from '../lib/users/order.ts';
import { event } from '../tools/samples/events.ts';
import { people } from '../tools/samples/people.ts';
import type { Question } from './ask.ts';
import { CREATES, DELETES } from './changed.ts';
import { fingerprint, idsOf } from './data.ts';
import { drawQuestions, KINDS as KINDS_OF_QUESTIONS } from './drawn.ts';
import { type Figures, one, spread } from './figures.ts';
import { newcomers } from './population.ts';
import { PAGE_SIZE, pageAt, rowsToChange, SEED } from './sample.ts';

/** How many questions of each kind are drawn. */
const DRAWN = 20;
/** The changes that come with each question while a container merges. */
const NEWS = 8_000;
/** Bytes of items that a read unit reads, eventually consistent. */
const BYTES_OF_UNIT = 8_192;
const MB = 1e6;
const BY_ID = totalOrder([]);
const BY_NAME = readPage(event('sort=name')).order;

/** The users of stores, at a steady rate in the same two years. */
function* rows(users: number): Generator<Row> {
  const [source, nextId] = [people(SEED), idsOf(users)];
  for (let i = 0; i < users; i++) yield { id: nextId(), ...source.next().value };
}

/** A file with a base of `users` users: its checksum, then its bytes. It is made once. */
function baseFile(users: number): string {
  const file = `.local/bench-end-${users}-${fingerprint()}.base`;
  // Not in the process that measures, nor in the one that asks for it: what it takes would stay.
  if (!existsSync(file)) execFileSync(process.execPath, [import.meta.filename, 'fill', `${users}`, file]);
  return file;
}

function fill(users: number, file: string): void {
  const { bytes, checksum } = pack(replicaFrom(COLUMNS, rows(users)));
  const start = Buffer.alloc(4);
  start.writeUInt32LE(checksum);
  writeFileSync(`${file}.unfinished`, Buffer.concat([start, bytes]));
  renameSync(`${file}.unfinished`, file);
}

/** The changes before the next base: as many users as in stores, and in the same way. */
function* changesOf(base: Replica): Generator<readonly [id: number, row: Row | undefined]> {
  const draw = newcomers();
  const rowAt = (row: number): Row => pageOf(base, {}, BY_ID, row, 1).rows[0] ?? { id: 0 };
  let last = rowAt(base.total - 1).id;
  for (const [i, row] of rowsToChange(base.total).entries()) {
    const user = rowAt(row);
    const { lastName = 'Nobody', ...others } = draw();
    if (i % 10 < CREATES) yield [++last, { id: last, ...others, lastName }];
    else if (i % 10 < CREATES + DELETES) yield [user.id, undefined];
    else yield [user.id, { ...user, age: Number(user.age ?? 20) + 1, lastName }];
  }
}

/** Milliseconds of processor time. */
function timed<Result>(run: () => Result): { result: Result; milliseconds: number } {
  const began = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(began);
  return { result, milliseconds: (user + system) / 1_000 };
}

function ask(replica: Replica, { query, by, depth = 0 }: Question): number {
  const { filters, order } = readPage(event(query), by);
  const question = questionOf(filters);
  const { total } = pageOf(replica, question, order, 0, 1);
  const skip = pageAt(depth, total) * PAGE_SIZE;
  return timed(() => pageOf(replica, question, order, skip, PAGE_SIZE)).milliseconds;
}

/** The most memory that this process has had until now, in bytes. */
const most = (): number => process.resourceUsage().maxRSS * 1_024;

/** A base as a process has it that has read it, with its changes. */
function changedOf(file: string) {
  const stored = readFileSync(file);
  const bytes = stored.subarray(4);
  const opened = timed(() => open(COLUMNS, [bytes], stored.readUInt32LE(0)));
  const first = timed(() => pageOf(opened.result, {}, BY_NAME, 0, PAGE_SIZE));
  const loaded = most();
  const replica = withChanges(opened.result, [...changesOf(opened.result)]);
  return { bytes: bytes.length, milliseconds: opened.milliseconds + first.milliseconds, loaded, replica };
}

/** Asks all that can be asked. @returns the milliseconds of each drawn question */
function askAll(replica: Replica, drawn: readonly Question[]): number[] {
  const times = drawn.map((question) => ask(replica, question));
  countsOf(replica, {}, [{ field: 'status' }, { field: 'country' }], 1_000);
  rowsOf(replica, {}, BY_NAME).rows[Symbol.iterator]().next();
  return times;
}

/** Merges as a container does: a part of it with each question. @returns its milliseconds */
function mergeBetween(held: { replica: Replica }, drawn: readonly Question[]): number {
  const merge = createMerging(LIMITS, systemRuntime);
  let milliseconds = 0;
  for (let i = 0; held.replica.changed > 0; i++) {
    const part = timed(() => merge(held.replica, NEWS));
    milliseconds += part.milliseconds;
    held.replica = part.result;
    const question = drawn[i % drawn.length];
    if (question) ask(held.replica, question);
  }
  return milliseconds;
}

/** A function that lists: it is asked all there is, merges between questions, and is asked again. */
function list(file: string): Figures {
  const empty = process.memoryUsage.rss();
  const held = changedOf(file);
  const { bytes, milliseconds, loaded } = held;
  const drawn = KINDS_OF_QUESTIONS.flatMap((kind) => drawQuestions(kind, true, DRAWN));
  const times = askAll(held.replica, drawn);
  const asked = most();
  const merging = mergeBetween(held, drawn);
  const merged = most();
  askAll(held.replica, drawn);
  return {
    'megabytes of the base': one(bytes / MB),
    'read units to load it': one(bytes / BYTES_OF_UNIT),
    'first page by name, with all columns, milliseconds': one(milliseconds),
    'questions drawn at random, any page, milliseconds': spread(times),
    'a merge, seconds': one(merging / 1_000),
    'most megabytes of memory, a function that lists: empty': one(empty / MB),
    'until all is loaded': one(loaded / MB),
    'until all is asked': one(asked / MB),
    'until the next base is there': one(merged / MB),
    'until all is asked of that': one(most() / MB),
  };
}

/** The fold: it merges at once, and writes the next base. */
function fold(file: string): Figures {
  const empty = process.memoryUsage.rss();
  const { replica } = changedOf(file);
  const packed = timed(() => pack(compaction(replica).movedTo(replica)));
  const { unpacked } = packed.result;
  return {
    'megabytes of its columns': one(unpacked / MB),
    'a merge and packing the next base, seconds': one(packed.milliseconds / 1_000),
    'most megabytes of memory, the fold: empty': one(empty / MB),
    'until the next base is packed': one(most() / MB),
  };
}

const ROLES = { list, fold };

/** Each role of a function in a process of its own. */
export async function measureEnd(users: number): Promise<Figures> {
  const file = baseFile(users);
  const all: Figures = {};
  for (const role of Object.keys(ROLES)) {
    const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, role, file]);
    Object.assign(all, JSON.parse(stdout));
  }
  return all;
}

const [, , does, given = '', file = ''] = process.argv;
if (import.meta.main && does === 'fill') fill(Number(given), file);
if (import.meta.main && (does === 'list' || does === 'fold')) process.stdout.write(JSON.stringify(ROLES[does](given)));
