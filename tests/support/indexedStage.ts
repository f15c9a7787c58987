/**
 * The protocol of a stage whose lists come from an index, as a model: one user or two, a few writes, folds, processes that fill the index, one list.
 * Each step is a call of a store, and any of them may be the last one of its process. The code of lib in its place is named beside it.
 *
 * From each state there must be a way back to an index that shows all, by folds and by the processes that fill it alone.
 *
 * Time is an order here: who has waited for a second has outlived all lists that were under way before, or these know that they are slow.
 */
import { ask, BLOCKED, Ended, everyOrder, type Process, type Step, Violation } from './everyOrder.ts';

type Id = 'a' | 'b';

/** A write, and whether its user is there after it. They are named 1, 2, … in their order; 0 is what was before. */
export type Write = readonly [id: Id, isThere: boolean];

interface Index {
  /** The version of each document, and the write that it shows, or undefined if it was taken away. */
  all: Partial<Record<Id, { version: number; write?: number | undefined }>>;
  /** The writes that searches find, since the last refresh. */
  shown: Partial<Record<Id, number>>;
  /** Whether it takes rows of a copy of the table. */
  takesCopy: boolean;
}

interface Copy {
  name: string;
  epoch: number;
  pages: number;
  indexed?: number | undefined;
}

interface Head {
  epoch: number;
  batch: number[];
  /** How many writes were claimed until each epoch: the last one is the tag. */
  claimed: number[];
  base: { name: string; indexed: number };
  copy?: Copy | undefined;
}

/** The head, as a process that fills the index remembers it. */
interface ReadHead extends Pick<Head, 'epoch' | 'base' | 'copy'> {
  isClaimed: boolean;
}

interface Row {
  id: Id;
  version: number;
  write?: number | undefined;
}

/** The place of an index is noted. */
interface Note {
  of: 'base' | 'copy';
  name: string;
  until: number;
}

/** Rows are put. */
interface Put {
  index: string;
  rows: Row[];
  isCopy: boolean;
}

/** A call that arrives once more, or late. The last one begins a copy. */
type Late = Put | Note | { copy: Copy };

type ListedHead = Omit<Head, 'copy'>;

/** The writes that a list has, and of each user the last one that the index may lack. */
interface Beside {
  of: number[];
  last: Partial<Record<Id, number>>;
}

/** A list that is being made. */
interface List extends Partial<Beside> {
  /** How many writes there were when it began. */
  began: number;
  isSlow: boolean;
  head: ListedHead;
  answer?: Partial<Record<Id, number>>;
}

interface World {
  written: number;
  journal: number[];
  head: Head;
  /** The last write of each user of a batch, by its epoch. */
  deltas: Record<number, number[]>;
  indexes: Record<string, Index>;
  late: Late[];
  list?: List | undefined;
  /** The processes whose second has begun after the list: it is over when the list is slow. */
  outlived: string[];
  /** How often each thing has happened that happens a few times. */
  happened: Record<'late' | 'lost' | 'copied' | 'anew' | 'hours', number>;
}

/** The rules of the protocol, of which each is needed. */
export type Rule =
  | 'a document has a version from outside'
  | 'who was deleted is remembered for longer than a call is late'
  | 'a process that has slept for an hour puts nothing'
  | 'the place of an index never goes back'
  | 'deltas stay until the index has them'
  | 'a batch is put a second after its head was read'
  | 'what was put is shown before the head says so'
  | 'the head says nothing that is not put'
  | 'a document makes no index'
  | 'the epoch is noted before the table is read'
  | 'a copy shows its rows before it takes the place'
  | 'an index takes no rows of a copy that has ended'
  | 'a late call begins no copy into the index of lists'
  | 'a copy that is lost is given up'
  | 'a copy that takes no more rows is given up'
  | 'the head is read before the entries'
  | 'a list excludes who has changed'
  | 'a slow list reads the head again'
  | 'a batch of which an entry is gone is read from its delta'
  | 'entries are deleted after their delta is written'
  | 'who is deleted is taken out of the index';

export interface Size {
  writes: readonly Write[];
  /** The users whose first write creates them: all others are there. */
  created?: readonly Id[];
  folds?: number;
  indexers?: number;
  /** How many calls arrive once more, or late. */
  late?: number;
  /** How often an index is lost. */
  lost?: number;
  /** How often another index is begun beside one that is there. */
  anew?: number;
  hours?: number;
  /** Whether another index has been begun. */
  isCopied?: boolean;
  isSwept?: boolean;
  /** Whether a list is made. The index is looked at in any case. */
  isListed?: boolean;
}

const IDS: Id[] = ['a', 'b'];

/** As an index and a table have users in the beginning. */
const FIRST = 1;

/** All orders of a stage of some size. @param dropped a rule that its processes do not keep */
export function everyOrderOf(size: Size, dropped?: Rule) {
  const { writes, created = [], folds = 1, indexers = 1, late = 0, lost = 0, anew = 0, hours = 0 } = size;
  const { isCopied = false, isSwept = false, isListed = true } = size;
  const holds = (rule: Rule): boolean => rule !== dropped;
  const users = IDS.filter((id) => writes.some(([each]) => each === id));
  const idOf = (write: number): Id => (writes[write - 1] as Write)[0];
  const shownBy = (write: number): number | undefined => (writes[write - 1]?.[1] ? write : undefined);
  const namesOf = (kind: string, count: number) => Array.from({ length: count }, (_, i) => `${kind}${i}`);
  const indexerNames = namesOf('indexer', indexers);

  /** The last write of each user among some, in the order of users. */
  const newestOf = (some: readonly number[]): number[] =>
    users.flatMap((id) => some.filter((write) => idOf(write) === id).toSorted((x, y) => y - x)[0] ?? []);

  const writesUntil = (count = 0): number[] => Array.from({ length: count }, (_, i) => i + 1);

  const firstOf = (id: Id): number | undefined => (created.includes(id) ? undefined : 0);

  const tableAt = (count: number): Partial<Record<Id, number | undefined>> =>
    Object.fromEntries(
      users.map((id) => {
        const last = writes.slice(0, count).findLastIndex(([each]) => each === id) + 1;
        return [id, last > 0 ? shownBy(last) : firstOf(id)];
      }),
    );

  const everyone = (): Index => {
    const present = users.filter((id) => firstOf(id) !== undefined);
    return {
      all: Object.fromEntries(present.map((id) => [id, { version: FIRST, write: 0 }])),
      shown: Object.fromEntries(present.map((id) => [id, 0])),
      takesCopy: false,
    };
  };

  const emptyIndex = (): Index => ({ all: {}, shown: {}, takesCopy: true });

  const first: World = {
    ...{ written: 0, journal: [], deltas: {}, late: [], outlived: [] },
    head: {
      ...{ epoch: FIRST, batch: [], claimed: [0], base: { name: 'i0', indexed: FIRST } },
      ...(isCopied && { copy: { name: 'i1', epoch: FIRST, pages: 0 } }),
    },
    indexes: { i0: everyone(), ...(isCopied && { i1: emptyIndex() }) },
    happened: { late: 0, lost: 0, copied: 0, anew: 0, hours: 0 },
  };

  // The write of a user and of its entry is one transaction.
  function* write() {
    yield* ask((world: World) => {
      if (world.written === writes.length) return BLOCKED;
      world.journal.push(++world.written);
      return undefined;
    });
  }

  /** A second begins in which a list that is under way must end, or read the head again. */
  function begins({ list: own, outlived }: World, name: string): void {
    if (own && !outlived.includes(name)) outlived.push(name);
  }
  /** The second is over when something happens that waits for it. */
  function ends({ list: own, outlived }: World, name: string): void {
    if (own && outlived.includes(name)) own.isSlow = true;
  }

  // lib/replica/fold.ts
  function* fold(name: string) {
    const deleteOne = (entry: number) =>
      ask((world: World) => {
        ends(world, name);
        world.journal = world.journal.filter((each) => each !== entry);
        sound(world);
      });
    const seen = yield* ask((world: World) => {
      begins(world, name);
      const { epoch, batch } = world.head;
      return world.journal.length > 0 || batch.length > 0 ? { epoch, batch, entries: world.journal } : BLOCKED;
    });
    let { epoch, batch } = seen;
    if (batch.length === 0) {
      batch = seen.entries;
      const isClaimed = yield* ask((world: World) => {
        const { head } = world;
        begins(world, name);
        if (head.epoch !== epoch || head.batch.length > 0) return false;
        head.epoch++;
        head.batch = batch;
        head.claimed.push((head.claimed.at(-1) ?? 0) + batch.length);
        return true;
      });
      if (!isClaimed) return;
      epoch++;
    }
    const entries = batch.filter((each) => seen.entries.includes(each));
    const putDelta = function* () {
      const isWhole = entries.length === batch.length;
      if (isWhole) yield* ask(({ deltas }: World) => void Object.assign(deltas, { [epoch]: newestOf(batch) }));
    };
    if (holds('entries are deleted after their delta is written')) yield* putDelta();
    const newest = newestOf(entries);
    for (const entry of [...entries.filter((each) => !newest.includes(each)), ...newest]) yield* deleteOne(entry);
    if (!holds('entries are deleted after their delta is written')) yield* putDelta();
    yield* ask(({ head }: World) => {
      if (head.epoch === epoch) head.batch = [];
    });
  }

  // sweep() in lib/replica/merge.ts
  function* sweep() {
    const until = yield* ask(({ head }: World) => {
      const { base, copy } = head;
      if (!holds('deltas stay until the index has them')) return head.epoch - 1;
      return Math.min(base.indexed, copy ? (copy.indexed ?? copy.epoch) : base.indexed);
    });
    yield* ask((world: World) => {
      for (const epoch of Object.keys(world.deltas)) if (Number(epoch) <= until) delete world.deltas[Number(epoch)];
      sound(world);
    });
  }

  /** Batches that the index lacks are in the journal, or have a delta. Of each user it shows, and will show, a write that is not older than it says. */
  function sound({ head, deltas, journal, indexes, written }: World): void {
    if (head.copy?.name === head.base.name) throw new Violation('The table is copied into the index of lists');
    const { shown, all } = indexes[head.base.name] ?? {};
    const from = head.claimed[head.base.indexed - FIRST] ?? 0;
    const states = Array.from({ length: written - from + 1 }, (_, i) => tableAt(from + i));
    const isOlder = (id: Id, value: number | undefined) => states.every((state) => state[id] !== value);
    const wrong = users.find((id) => shown && all && (isOlder(id, shown[id]) || isOlder(id, all[id]?.write)));
    if (wrong) throw new Violation(`The index shows ${wrong} as of a batch that is older than its place`);
    for (let epoch = head.base.indexed + 1; epoch <= head.epoch; epoch++) {
      const isPending = epoch === head.epoch && head.batch.some((each) => journal.includes(each));
      if (!deltas[epoch] && !isPending) throw new Violation(`The delta ${epoch} is gone, which the index lacks`);
    }
  }

  // put() in lib/search/indexing.ts: the engine refuses a version that is not higher
  function put(world: World, { index: name, rows, isCopy }: Put): boolean {
    if (!holds('a document makes no index')) world.indexes[name] ??= emptyIndex();
    const index = world.indexes[name];
    const isEnded = isCopy && !index?.takesCopy && holds('an index takes no rows of a copy that has ended');
    if (!index || isEnded) return false;
    for (const { id, version, write: value } of rows) {
      if (!holds('who is deleted is taken out of the index') && value === undefined) continue;
      if (version > (index.all[id]?.version ?? 0) || !holds('a document has a version from outside'))
        index.all[id] = { version, ...(value !== undefined && { write: value }) };
    }
    return true;
  }

  function noteIndexed({ head }: World, { of, name, until }: Note): boolean {
    const target = head[of];
    const isLater = (target?.indexed ?? until) < until || !holds('the place of an index never goes back');
    if (target?.name === name && isLater) target.indexed = until;
    return true;
  }

  // beginCopy() in lib/replica/headChanges.ts
  function beginCopy({ head }: World, copy: Copy): boolean {
    const isLate = head.base.name === copy.name && holds('a late call begins no copy into the index of lists');
    if (!isLate) head.copy ??= copy;
    return true;
  }

  function done(world: World, call: Late): boolean {
    if ('rows' in call) return put(world, call);
    return 'copy' in call ? beginCopy(world, call.copy) : noteIndexed(world, call);
  }

  function carryOut(world: World, call: Late): boolean {
    const isDone = done(world, call);
    sound(world);
    return isDone;
  }

  /** A call. It may arrive once more, or late, when its answer is lost. Its process ends where it does not know. */
  function* send(call: Late, waited?: string) {
    const later = (world: World): boolean => {
      if (world.happened.late >= late) return false;
      world.happened.late++;
      world.late.push(call);
      return true;
    };
    const now = (world: World): boolean => {
      if (waited && holds('a batch is put a second after its head was read')) ends(world, waited);
      return carryOut(world, call);
    };
    const answer = yield* ask<World, boolean | null>(
      now,
      (world) => (later(world) ? now(world) : BLOCKED),
      (world) => (later(world) ? null : BLOCKED),
    );
    if (answer === null) throw new Ended();
    return answer;
  }

  function* network() {
    const arrives = (i: number) => (world: World) => {
      const [call] = world.late.splice(i, 1);
      if (!call) return BLOCKED;
      carryOut(world, call);
      return undefined;
    };
    yield* ask(...Array.from({ length: late }, (_, i) => arrives(i)));
  }

  /** Lets searches find what was put. */
  const show = (name: string) =>
    ask((world: World): boolean => {
      const index = world.indexes[name];
      if (!index) return false;
      index.shown = Object.fromEntries(
        Object.entries(index.all).flatMap(([id, { write: value }]) => (value === undefined ? [] : [[id, value]])),
      );
      sound(world);
      return true;
    });

  /** The rows of the batches after an epoch, as far as they are there. Null if one is missing that must have been written. */
  function newsAfter(head: ReadHead, { deltas }: World, after: number): { until: number; rows: Row[] } | null {
    const rows = new Map<Id, Row>();
    for (let epoch = after + 1; epoch <= head.epoch; epoch++) {
      const delta = deltas[epoch];
      if (!delta) {
        const isPending = epoch === head.epoch && head.isClaimed;
        return isPending ? { until: epoch - 1, rows: [...rows.values()] } : null;
      }
      for (const each of delta) {
        const value = shownBy(each);
        rows.set(idOf(each), { id: idOf(each), version: epoch, ...(value !== undefined && { write: value }) });
      }
    }
    return { until: head.epoch, rows: [...rows.values()] };
  }

  // advance() in lib/replica/following.ts
  function* advance(name: string, head: ReadHead, of: 'base' | 'copy', target: { name: string; indexed: number }) {
    const { name: index, indexed } = target;
    const news = yield* ask((world: World) => {
      const found = newsAfter(head, world, indexed);
      return found && { ...found, until: holds('the head says nothing that is not put') ? found.until : head.epoch };
    });
    if (news === null || news.until === indexed) return news === null ? undefined : indexed;
    for (const row of news.rows) {
      const isThere = yield* send({ index, rows: [row], isCopy: false }, name);
      if (!isThere) return undefined;
    }
    const note: Note = { of, name: index, until: news.until };
    if (holds('what was put is shown before the head says so')) {
      if (!(yield* show(index))) return undefined;
      yield* send(note);
    } else {
      yield* send(note);
      yield* show(index);
    }
    return news.until;
  }

  // copyOn(): a page for each user
  function* copyOn(copy: Copy) {
    for (let page = copy.pages; page < users.length; page++) {
      const id = users[page] as Id;
      const rows = yield* ask(({ written }: World): Row[] => {
        const value = tableAt(written)[id];
        return value === undefined ? [] : [{ id, version: copy.epoch, write: value }];
      });
      if (!(yield* send({ index: copy.name, rows, isCopy: true }))) return yield* dropCopying(copy);
      const isLast = page === users.length - 1;
      if (isLast && holds('a copy shows its rows before it takes the place') && !(yield* show(copy.name)))
        return yield* dropCopy(copy);
      const isNoted = yield* ask(({ head }: World) => {
        if (head.copy?.name !== copy.name || head.copy.pages !== page || head.copy.indexed) return false;
        head.copy.pages++;
        if (isLast) head.copy.indexed = holds('the epoch is noted before the table is read') ? copy.epoch : head.epoch;
        return true;
      });
      if (!isNoted) return;
    }
  }

  const dropCopy = ({ name }: Pick<Copy, 'name'>) =>
    ask(({ head }: World) => {
      if (head.copy?.name === name) delete head.copy;
    });

  /** Unless it has all rows. */
  const dropCopying = ({ name }: Copy) =>
    ask(({ head, indexes }: World) => {
      const isGivenUp = !indexes[name] || holds('a copy that takes no more rows is given up');
      if (head.copy?.name === name && head.copy.indexed === undefined && isGivenUp) delete head.copy;
    });

  // takePlace()
  function* takePlace(head: ReadHead, { name, indexed = 0 }: Copy) {
    if (indexed < head.epoch - 1) return;
    const isShown = !holds('a copy shows its rows before it takes the place') || (yield* show(name));
    if (!isShown) return void (holds('a copy that is lost is given up') && (yield* dropCopy({ name })));
    const isPut = yield* ask((world: World) => {
      const { copy } = world.head;
      if (copy?.name !== name || (copy.indexed ?? indexed + 1) > indexed) return false;
      world.head.base = { name, indexed };
      delete world.head.copy;
      sound(world);
      return true;
    });
    if (!isPut) return;
    yield* ask<World, void>(
      ({ indexes }) => {
        for (const each of Object.keys(indexes)) if (each < name) delete indexes[each];
      },
      // The process ends before.
      ({ happened }) => {
        if (happened.late >= late) return BLOCKED;
        happened.late++;
        return undefined;
      },
    );
  }

  function* followCopy(name: string, head: ReadHead, copy: Copy) {
    if (copy.indexed === undefined) return yield* copyOn(copy);
    yield* ask(({ indexes }: World) => {
      const index = indexes[copy.name];
      if (index) index.takesCopy = false;
    });
    const indexed = yield* advance(name, head, 'copy', { name: copy.name, indexed: copy.indexed });
    if (indexed === undefined) yield* dropCopy(copy);
    else yield* takePlace(head, { ...copy, indexed });
  }

  // follow()
  function* indexer(name: string) {
    const head = yield* ask((world: World) => {
      begins(world, name);
      const { base, copy, epoch } = world.head;
      if (base.indexed === epoch && !copy && world.indexes[base.name]) return BLOCKED;
      return { epoch, base, copy, isClaimed: world.head.batch.length > 0 };
    });
    const { base, copy } = head;
    const indexed = yield* advance(name, head, 'base', base);
    if (copy) return yield* followCopy(name, head, copy);
    const isMissing = indexed === undefined || (yield* ask(({ indexes }: World) => !indexes[base.name]));
    if (!isMissing) return;
    yield* beginIndex(head.epoch);
  }

  // At most one for each index that is lost, each that the operator begins, and each call that is late.
  function* beginIndex(epoch: number) {
    const name = yield* ask(({ happened, indexes }: World) => {
      if (happened.copied >= happened.lost + happened.anew + happened.late) return BLOCKED;
      const own = `i${(isCopied ? 2 : 1) + happened.copied++}`;
      indexes[own] = emptyIndex();
      return own;
    });
    yield* send({ copy: { name, epoch, pages: 0 } });
  }

  function* operator() {
    const epoch = yield* ask(({ head, happened }: World) => {
      if (happened.anew >= anew) return BLOCKED;
      happened.anew++;
      return head.epoch;
    });
    yield* beginIndex(epoch);
  }

  const isStill = ({ head, list: own }: World): boolean =>
    !own?.isSlow || head.epoch === own.head.epoch || !holds('a slow list reads the head again');

  /** The writes that a list has itself, and the last one of each user among them. Undefined if a delta is missing. */
  function readBeside({ journal, deltas }: World, { epoch, batch, claimed, base }: ListedHead): Beside | undefined {
    const isWhole = batch.length > 0 && batch.every((each) => journal.includes(each));
    const counts = isWhole || !holds('a batch of which an entry is gone is read from its delta');
    const entries = counts ? journal : journal.filter((each) => !batch.includes(each));
    const found: number[] = [];
    for (let each = base.indexed + 1; each <= (isWhole || (counts && batch.length > 0) ? epoch - 1 : epoch); each++) {
      if (!deltas[each]) return undefined;
      found.push(...(deltas[each] ?? []));
    }
    const of = [...new Set([...writesUntil(claimed.at(-1)), ...journal])].toSorted();
    // The last one of a user counts.
    return { of, last: Object.fromEntries([...found, ...newestOf(entries)].map((each) => [idOf(each), each])) };
  }

  // readBeside() in lib/replica/recent.ts, attempt() in lib/users/searched.ts
  function* list() {
    const leave = (world: World): false => {
      delete world.list;
      world.outlived = [];
      return false;
    };
    const begin = (world: World): void => {
      const { copy, ...head } = world.head;
      world.list = { began: world.written, isSlow: false, head };
    };
    const read = (world: World, { journal }: Pick<World, 'journal'>): boolean => {
      const { list: own } = world;
      const found = own && readBeside({ ...world, journal }, own.head);
      if (!own || !found || !isStill(world)) return leave(world);
      const { epoch, base } = own.head;
      Object.assign(own, { head: { epoch, base: { name: base.name } }, ...found });
      return true;
    };
    const early = holds('the head is read before the entries')
      ? undefined
      : yield* ask(({ journal }: World) => journal);
    yield* ask(begin);
    if (!(yield* ask((world: World) => read(world, early ? { journal: early } : world)))) return;
    // An answer takes several searches.
    for (const id of users) {
      const goesOn = yield* ask((world: World) => {
        const { list: own, indexes } = world;
        const index = own && indexes[own.head.base.name];
        if (!own || !index) return leave(world);
        const isOwn = own.last?.[id] !== undefined && holds('a list excludes who has changed');
        const value = isOwn ? shownBy(own.last?.[id] ?? 0) : index.shown[id];
        own.answer = { ...own.answer, ...(value !== undefined && { [id]: value }) };
        if (id !== users.at(-1)) return true;
        if (isStill(world)) requireExact(world);
        return leave(world);
      });
      if (!goesOn) return;
    }
  }

  /** The tag names some writes: those are shown, all that there were before the list began, and none that is not there. */
  function requireExact({ list: own, written }: World): void {
    const { of = [], began = 0, answer = {} } = own ?? {};
    if (of.some((each) => each > of.length)) throw new Violation(`A list has the writes ${of}, and not all before`);
    if (of.length < began || of.length > written) throw new Violation('A list is of another moment');
    const right = tableAt(of.length);
    if (users.some((id) => answer[id] !== right[id]))
      throw new Violation(`A list shows ${JSON.stringify(answer)}, not ${JSON.stringify(right)}`);
  }

  function* fate() {
    const lose =
      (of: 'base' | 'copy'): Step<World> =>
      ({ indexes, head, happened }) => {
        const name = head[of]?.name;
        if (happened.lost >= lost || !name || !indexes[name]) return BLOCKED;
        happened.lost++;
        delete indexes[name];
        return undefined;
      };
    const hour: Step<World> = (world, isBegun) => {
      const isAwake = indexerNames.some(isBegun);
      if (world.happened.hours >= hours || (isAwake && holds('a process that has slept for an hour puts nothing')))
        return BLOCKED;
      world.happened.hours++;
      if (holds('who was deleted is remembered for longer than a call is late')) world.late = [];
      for (const { all } of Object.values(world.indexes))
        for (const id of users) if (all[id] && all[id].write === undefined) delete all[id];
      return undefined;
    };
    yield* ask(lose('base'), lose('copy'), hour);
  }

  const processes: Record<string, Process<World>> = {
    ...{
      writer: write,
      ...(isListed && { list }),
      ...(isSwept && { sweep }),
      ...(late > 0 && { network }),
      ...(anew > 0 && { operator }),
      ...(lost + hours > 0 && { fate }),
    },
    ...Object.fromEntries(namesOf('fold', folds).map((name) => [name, fold])),
    ...Object.fromEntries(indexerNames.map((name) => [name, indexer])),
  } as never;
  return everyOrder(first, processes, {
    by: (name) => /^(fold|indexer)/.test(name),
    isReached: ({ head, indexes }) => !head.copy && head.base.indexed === head.epoch && head.base.name in indexes,
  });
}
