import fc from 'fast-check';
import { EXACT_FIELDS } from '../../../lib/users/fields.ts';
import { addModulo } from '../../../lib/users/hash.ts';
import type { createUserListing, UserCounts } from '../../../lib/users/listing/listing.ts';
import { question } from '../arbitraries.ts';
import { type ModelQuery, type ModelUser, modelFilter, modelPage, modelSort } from '../model.ts';
import { askAfter, askAll, askCounts, askPage, countsOf } from '../questions.ts';
import type { Course } from './course.ts';
import { pick, queryBy } from './drawn.ts';
import { differ } from './steps.ts';

type Listing = ReturnType<typeof createUserListing>;

/** An answer, and what it should be for given users. */
interface Answer {
  tag: string;
  got: unknown;
  of: (users: ModelUser[]) => unknown;
  /** It is of a cursor, and so of an index. */
  isOfIndex?: boolean;
  /** How many writes were committed by then. */
  until?: number;
}

/** Asks a listing while others write, and compares each answer with the states that it may show. */
export class Answers {
  private readonly course: Course;
  /** By line: by how much the sum of all writes of a state is ahead of its tag. That is one number, or one of some while it is not known. */
  private readonly ahead = new Map<string, Set<number>>();
  private lastTag = '';

  constructor(course: Course) {
    this.course = course;
  }

  /** A question about a few values, or any question. */
  private draw(users: ModelUser[]): ModelQuery {
    const { scheduler, options } = this.course;
    const isAny = !options.isBrisk && scheduler.int(2) === 0;
    const [make] = isAny ? fc.sample(question, { seed: scheduler.int(2 ** 31), numRuns: 1 }) : [];
    return make?.(users) ?? queryBy(scheduler, options.isBrisk ?? false);
  }

  /** The kinds of questions. */
  private readonly kinds: readonly ((listing: Listing, query: ModelQuery, users: ModelUser[]) => Promise<Answer>)[] = [
    async (listing, query, users) => {
      const after = pick(this.course.scheduler, [0, ...users.map(({ id }) => id)]);
      const of = (state: ModelUser[]) =>
        modelFilter(modelSort(state, []), query)
          .filter(({ id }) => id > after)
          .slice(0, query.size);
      const { tag, users: got } = await askAfter(listing, query, after, query.size);
      return { tag, got, of, isOfIndex: true };
    },
    async (listing, { sort }) => {
      const { scheduler, store } = this.course;
      let until = 0;
      const { tag, users, total } = await askAll(listing, sort, {}, async () => {
        until = store.commits;
        if (scheduler.int(2) === 0) await scheduler.turn('stream', scheduler.random() * 60_000);
      });
      return { tag, got: [users, total], of: (state) => [modelSort(state, sort), state.length], until };
    },
    async (listing, query) => {
      const by = EXACT_FIELDS.filter(() => this.course.scheduler.int(2) === 0);
      const { tag, counts } = await askCounts(listing, query, by);
      return { tag, got: counts, of: (state) => countsOf(state, query, by) };
    },
    async (listing) => {
      const known = this.lastTag;
      const { tag, total } = (await listing.counts({ filters: {}, by: [] }, (each) => each === known)) as UserCounts;
      return { tag, got: total, of: ({ length }) => total && length };
    },
    async (listing, query) => {
      const { tag, page } = await askPage(listing, query);
      return { tag, got: page, of: (state) => modelPage(state, query) };
    },
  ];

  /** @throws when no state that there can have been gives the answer and its tag */
  async ask(listing: Listing): Promise<void> {
    const { scheduler, store, history, report, options } = this.course;
    const [before, { lost }] = [store.commits, { ...report }];
    const users = history[before] ?? [];
    const query = this.draw(users);
    const kind = options.isWalking ? 0 : Math.min(scheduler.int(this.kinds.length + 2), this.kinds.length - 1);
    const answer = await this.kinds[kind]?.(listing, query, users);
    // Whoever reads a table while it is lost reads half of it.
    if (!answer || report.lost > lost) return;
    const { until = store.commits } = answer;
    const isLate = answer.isOfIndex && (options.lagMs ?? 0) >= 2_000;
    if (!isLate) this.check(`${kind} ${JSON.stringify(query)}`, answer, before, until);
    if (until === before) report.exact++;
  }

  private check(text: string, { tag, got, of }: Answer, before: number, until: number): void {
    const states = this.course.committed.statesBetween(before, until);
    if (!states) return;
    const [line = '', hex = ''] = tag.split('-');
    const wanted = JSON.stringify(got);
    const known = this.ahead.get(line);
    const all = states.map(({ users, sum }) => ({ users, ahead: addModulo(sum, -Number.parseInt(hex, 16)) }));
    const tagged = all.filter(({ ahead }) => !known || known.has(ahead));
    const shown = tagged.filter(({ users }) => JSON.stringify(of(users)) === wanted);
    if (shown.length === 0) {
      const true_ = (tagged.length > 0 ? tagged : all).slice(0, 4).map(({ users }) => JSON.stringify(of(users)));
      const [many, few] = [all.length, tagged.length];
      throw new Error(
        `${text} by ${tag}: of ${many} states, ${few} with this tag\n got  ${wanted}\n true ${true_.join('\n or   ')}`,
      );
    }
    this.ahead.set(line, new Set(shown.map(({ ahead }) => ahead)));
    this.lastTag = tag;
    if (until > before) this.course.report.compared++;
  }

  /** Walks by cursor. @throws unless each user whom nobody writes meanwhile is met once, in the order of ids */
  async walk(listing: Listing): Promise<void> {
    const { scheduler, store, history, committed, report } = this.course;
    const before = store.commits;
    const { sort: _, page: __, ...filters } = pick(scheduler, [{ ...queryBy(scheduler, true) }, { sort: [], page: 0 }]);
    const met: number[] = [];
    for (let [size, got] = [5, 5]; got === size; ) {
      const { users } = await askAfter(listing, filters, met.at(-1) ?? 0, size);
      met.push(...users.map(({ id }) => id));
      got = users.length;
    }
    const touched = new Set(committed.written.slice(before).map(({ id }) => id));
    const matching = modelFilter(history[before] ?? [], filters).map(({ id }) => id);
    const wanted = matching.filter((id) => !touched.has(id));
    const byId = (ids: number[]) => ids.toSorted((a, b) => a - b);
    const untouched = met.filter((id) => wanted.includes(id));
    differ('users whom nobody writes', untouched, byId(wanted));
    differ('users by cursor', met, byId(met));
    report.met += untouched.length;
    report.touched += touched.size;
  }
}
