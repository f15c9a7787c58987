import fc from 'fast-check';
import { COUNTED } from '../../../lib/users/counted.ts';
import type { UserCounts, UserListing } from '../../../lib/users/questions.ts';
import { question } from '../arbitraries.ts';
import { type ModelQuery, type ModelUser, modelFilter, modelPage, modelSort, modelWalk } from '../model.ts';
import { askAfter, askAll, askCounts, askPage, askWalk, countsOf } from '../questions.ts';
import type { Course } from './course.ts';
import { pick, queryBy } from './drawn.ts';

/** Of the sums in tags. */
const MODULUS = 2 ** 48;

/** An answer, and what it should be for given users. */
interface Answer {
  tag: string;
  got: unknown;
  of: (users: ModelUser[]) => unknown;
  /** It is of a cursor, and so of an index: all who match with ids in this range. */
  range?: { after: number; to: number };
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
  private readonly kinds: readonly ((
    listing: UserListing,
    query: ModelQuery,
    users: ModelUser[],
  ) => Promise<Answer>)[] = [
    async (listing, query, users) => {
      const after = pick(this.course.scheduler, [0, ...users.map(({ id }) => id)]);
      const of = (state: ModelUser[]) =>
        modelFilter(modelSort(state, []), query)
          .filter(({ id }) => id > after)
          .slice(0, query.size);
      const { tag, users: got } = await askAfter(listing, query, after, query.size);
      const to = got.length < query.size ? Number.POSITIVE_INFINITY : (got.at(-1)?.id ?? after);
      return { tag, got, of, range: { after, to } };
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
      const by = Array.from({ length: this.course.scheduler.int(3) }, () => pick(this.course.scheduler, COUNTED));
      const { tag, counts } = await askCounts(listing, query, by);
      return { tag, got: counts, of: (state) => countsOf(state, query, by) };
    },
    async (listing) => {
      const known = this.lastTag;
      const { tag, total } = (await listing.counts(
        { filters: {}, by: [], most: 1 },
        (each) => each === known,
      )) as UserCounts;
      return { tag, got: total, of: ({ length }) => total && length };
    },
    async (listing, query, users) => {
      const place = pick(this.course.scheduler, [undefined, ...users]);
      const { tag, found } = await askWalk(listing, query, place);
      return { tag, got: found, of: (state) => modelWalk(state, query, place) };
    },
    async (listing, query) => {
      const { tag, page } = await askPage(listing, query);
      return { tag, got: page, of: (state) => modelPage(state, query) };
    },
  ];

  /** @throws when no state that there can have been gives the answer and its tag */
  async ask(listing: UserListing): Promise<void> {
    const { scheduler, store, history, report, options } = this.course;
    const [before, { lost }] = [store.commits, { ...report }];
    const users = history[before] ?? [];
    const query = this.draw(users);
    const kind = Math.min(scheduler.int(this.kinds.length + 2), this.kinds.length - 1);
    const answer = await this.kinds[kind]?.(listing, query, users);
    // A reader of a table that is being lost gets half of it.
    if (!answer || report.lost > lost) return;
    const { until = store.commits } = answer;
    // An index may lack what the journal has lost.
    const isLate = answer.range && ((options.lagMs ?? 0) >= 2_000 || lost > 0);
    if (isLate) return;
    if (answer.range) this.checkEach(query, answer.got as ModelUser[], answer.range, before);
    this.check(`${kind} ${JSON.stringify(query)}`, answer, before, until);
    if (until === before) report.exact++;
  }

  private check(text: string, { tag, got, of }: Answer, before: number, until: number): void {
    const states = this.course.committed.statesBetween(before, until, this.course.options.parts !== undefined);
    if (!states) return;
    const [line = '', hex = ''] = tag.split('-');
    const wanted = JSON.stringify(got);
    const known = this.ahead.get(line);
    const all = states.map(({ users, sum }) => ({
      users,
      ahead: (MODULUS + sum - Number.parseInt(hex, 16)) % MODULUS,
    }));
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

  /** @throws unless each user of a range of ids is shown as she was at some moment since, or was not there then */
  private checkEach(
    query: Partial<ModelQuery>,
    shown: ModelUser[],
    { after, to }: NonNullable<Answer['range']>,
    since: number,
  ) {
    const textsOf = (users: ModelUser[]) => new Map(users.map((user) => [user.id, JSON.stringify(user)]));
    const states = this.course.history.slice(since).map((users) => textsOf(modelFilter(users, query)));
    const got = textsOf(shown);
    for (const id of new Set([got, ...states].flatMap((texts) => [...texts.keys()]))) {
      if (id <= after || id > to || states.some((texts) => texts.get(id) === got.get(id))) continue;
      throw new Error(
        `User ${id} by cursor is ${got.get(id)}, but was ${states.map((texts) => texts.get(id)).join(' or ')}`,
      );
    }
  }
}
