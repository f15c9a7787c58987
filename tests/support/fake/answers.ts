import fc from 'fast-check';
import { EXACT_FIELDS } from '../../../lib/users/fields.ts';
import { READ_WITHIN_MS } from '../../../lib/users/listing/current.ts';
import type { createUserListing } from '../../../lib/users/listing/listing.ts';
import { question } from '../arbitraries.ts';
import { type ModelQuery, type ModelUser, modelFilter, modelPage, modelSort } from '../model.ts';
import { askAfter, askAll, askPage } from '../questions.ts';
import type { Course } from './course.ts';
import { pick, queryBy } from './drawn.ts';
import { differ } from './steps.ts';

type Listing = ReturnType<typeof createUserListing>;

/** When a question was asked. */
interface Asked {
  text: string;
  began: number;
  /** How many writes were committed by then. */
  before: number;
}

/** An answer, and what it should be for given users. */
interface Answer {
  query: Partial<ModelQuery>;
  tag: string;
  users: ModelUser[];
  total?: number | undefined;
  got: unknown;
  of: (users: ModelUser[]) => unknown;
}

/** What statistics count. All else is counted in an index, which may be late. */
const COUNTED = [...EXACT_FIELDS, 'keyword', 'sort', 'page', 'size'] as readonly string[];

const isCounted = (query: Partial<ModelQuery>): boolean => Object.keys(query).every((name) => COUNTED.includes(name));

/** Asks a listing while others write, and compares each answer with the states that it may show. */
export class Answers {
  private readonly course: Course;
  private readonly tags = new Map<string, number>();
  private readonly commits = new Map<number, string>();

  constructor(course: Course) {
    this.course = course;
  }

  private get isLate(): boolean {
    return (this.course.options.lagMs ?? 0) >= 2_000;
  }

  /** A question about a few values, or any question. */
  private draw(users: ModelUser[]): ModelQuery {
    const { scheduler, options } = this.course;
    const isAny = !options.isBrisk && scheduler.int(2) === 0;
    const [make] = isAny ? fc.sample(question, { seed: scheduler.int(2 ** 31), numRuns: 1 }) : [];
    return make?.(users) ?? queryBy(scheduler, options.isBrisk ?? false);
  }

  /** @throws when no state that there can have been gives the answer */
  async ask(listing: Listing): Promise<void> {
    const { scheduler, store, history, report } = this.course;
    const users = history[store.commits] ?? [];
    const query = this.draw(users);
    const kind = scheduler.int(6);
    const asked = { text: `${kind} ${JSON.stringify(query)}`, began: scheduler.now(), before: store.commits };
    if (kind === 0) {
      const after = pick(scheduler, [0, ...users.map(({ id }) => id)]);
      const response = await askAfter(listing, query, after, query.size);
      const of = (state: ModelUser[]) =>
        modelFilter(modelSort(state, []), query)
          .filter(({ id }) => id > after)
          .slice(0, query.size);
      this.check(asked, { query, tag: response.tag, users: response.users, got: response.users, of });
    } else if (kind === 1) {
      const { tag, users: all, total } = await askAll(listing, query.sort);
      const got = { all, total };
      const of = (state: ModelUser[]) => ({ all: modelSort(state, query.sort), total: state.length });
      this.checkWhole(asked, { query: {}, tag, users: all, total, got, of });
    } else {
      const { page, tag } = await askPage(listing, query);
      const shown = { users: page.content as ModelUser[], total: page.totalElements };
      this.check(asked, { query, tag, ...shown, got: page, of: (state) => modelPage(state, query) });
    }
    if (store.commits === asked.before) report.exact++;
    else report.during++;
  }

  /** Walks by cursor, or streams. @throws unless each user whom nobody writes meanwhile is met once, by cursor in the order of ids */
  async walk(listing: Listing): Promise<void> {
    const { scheduler, store, history, committed, report } = this.course;
    const before = store.commits;
    const isByCursor = scheduler.int(2) === 0;
    let met: number[] = [];
    if (!isByCursor) met = (await askAll(listing, queryBy(scheduler, true).sort)).users.map(({ id }) => id);
    for (let [size, got] = [5, isByCursor ? 5 : 0]; got === size; ) {
      const { users } = await askAfter(listing, {}, met.at(-1) ?? 0, size);
      met.push(...users.map(({ id }) => id));
      got = users.length;
    }
    const touched = new Set(committed.written.slice(before).map(({ id }) => id));
    const wanted = history[before]?.map(({ id }) => id).filter((id) => !touched.has(id));
    const untouched = met.filter((id) => wanted?.includes(id));
    const byId = (ids: number[] | undefined) => ids?.toSorted((a, b) => a - b);
    differ('users whom nobody writes', byId(untouched), byId(wanted));
    if (isByCursor) differ('users by cursor', met, byId(met));
    report.met += untouched.length;
    report.touched += touched.size;
  }

  private check(asked: Asked, answer: Answer): void {
    const { store, history } = this.course;
    const users = history[asked.before] ?? [];
    if (store.commits !== asked.before) {
      if (this.isLate) return;
      this.checkDuring(asked, answer);
      this.checkState(asked, answer);
      return;
    }
    if (!this.isLate) differ(asked.text, answer.got, answer.of(users));
    else if (answer.total !== undefined && isCounted(answer.query)) {
      differ(asked.text, answer.total, modelFilter(users, answer.query).length);
    }
    this.checkTag(answer.tag, asked.before);
  }

  /** A stream reads for a while: while others write it need not be one state, but its users and its total have bounds. */
  private checkWhole(asked: Asked, answer: Answer): void {
    if (this.course.store.commits === asked.before) this.check(asked, answer);
    else if (!this.isLate) this.checkDuring(asked, answer);
  }

  /** Each state has one tag, and each tag one state. */
  private checkTag(tag: string, commit: number): void {
    differ('state of tag', this.tags.get(tag) ?? commit, commit);
    // Statistics that are built again get a new tag.
    if (!this.course.options.rebuilds) differ('tag of state', this.commits.get(commit) ?? tag, tag);
    this.tags.set(tag, commit);
    this.commits.set(commit, tag);
  }

  /** Writes during a read may be visible or not. Earlier ones must be visible. */
  private checkDuring({ before }: Asked, { query, total, users: shown }: Answer): void {
    const states = this.course.history.slice(before);
    const numbers = states.map((users) => new Set(modelFilter(users, query).map(({ id }) => id)));
    const ids = [...new Set(numbers.flatMap((state) => [...state]))];
    const sure = ids.filter((id) => numbers.every((state) => state.has(id))).length;
    if (total !== undefined && (total < sure || total > ids.length)) {
      throw new Error(`total ${total} of ${JSON.stringify(query)} is not within ${sure} and ${ids.length}`);
    }
    for (const user of shown) {
      const versions = states.flatMap((users) => users.filter(({ id }) => id === user.id));
      if (!versions.some((version) => JSON.stringify(version) === JSON.stringify(user))) {
        throw new Error(`${JSON.stringify(user)} was never there: ${JSON.stringify(versions)}`);
      }
    }
  }

  /** Content, total and tag of an answer belong to one state, unless the answer took longer than a second. */
  private checkState({ text, began, before }: Asked, { tag, got, of }: Answer): void {
    const { scheduler, committed, report, options } = this.course;
    if (scheduler.now() - began > READ_WITHIN_MS) return;
    const states = committed.statesSince(before);
    if (!states) return;
    const hasTag = (state: { tag: string }) => options.rebuilds !== undefined || state.tag === tag;
    const wanted = JSON.stringify(got);
    if (!states.some((state) => hasTag(state) && JSON.stringify(of(state.users)) === wanted)) {
      const withTag = states.find((state) => state.tag === tag);
      throw new Error(`${text}: ${wanted} is not of the state of its tag ${tag}: ${JSON.stringify(withTag?.users)}`);
    }
    report.compared++;
  }
}
