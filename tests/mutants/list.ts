/** A deliberate breakage of the source. At least one of the tests must fail. */
export interface Mutant {
  name: string;
  file: string;
  /** Occurs in the file; the first occurrence is replaced. */
  text: string;
  replacement: string;
  /** The tests in the order in which they are run, the fastest first. */
  tests: readonly string[];
}

const GUARDS = 'tests/unit/users/statistics/guards.test.ts';
const CUTS = 'tests/unit/users/statistics/cuts.test.ts';
const SEGMENTED = 'tests/unit/users/statistics/segmented.test.ts';
const SPLIT = 'tests/unit/users/statistics/split.test.ts';
const PAGE = 'tests/unit/users/statistics/page.test.ts';
const RACES = 'tests/property/races.test.ts';
const INTERLEAVINGS = 'tests/property/interleavings.test.ts';
const CHAOS = 'tests/property/chaos.test.ts';
const FAULTS = 'tests/property/faults.test.ts';
const JOURNAL = 'tests/property/journal.test.ts';
const LISTING = 'tests/property/listing.test.ts';
const HANDLERS = 'tests/integration/handlers.test.ts';
const STORE = 'tests/integration/store.test.ts';
const STORE_WRITES = 'tests/unit/users/store.test.ts';
const RETRIES = 'tests/integration/store-retries.test.ts';
const VERIFY = 'tests/tools/verify.test.ts';
const SEARCHES = 'tests/integration/searches.test.ts';
const TRANSACT = 'tests/unit/dynamodb/transact.test.ts';
const ATTEMPTS = 'tests/unit/dynamodb/attempts.test.ts';
const DEADLINE = 'tests/integration/deadline.test.ts';
const DELAYED = 'tests/integration/delayed-attempts.test.ts';
const ENDPOINT = 'tests/unit/http/endpoint.test.ts';
const PARAMETERS = 'tests/unit/http/request/parameters.test.ts';
const PATCH = 'tests/unit/http/request/patch.test.ts';
const USER_PATCH = 'tests/unit/http/request/userPatch.test.ts';
const TOKENS = 'tests/unit/auth/tokens.test.ts';
const POLICY = 'tests/unit/auth/policy.test.ts';
const KEYS = 'tests/unit/users/keys.test.ts';
const IDEMPOTENCY = 'tests/unit/users/idempotency.test.ts';
const COST = 'tests/integration/cost.test.ts';
const RUNS = 'tests/unit/users/listing/runs.test.ts';
const MOMENTS = 'tests/unit/users/listing/moments.test.ts';
const STRETCHES = 'tests/unit/users/listing/stretches.test.ts';
const SCAN = 'tests/unit/users/listing/scan.test.ts';
const SEGMENTS = 'tests/unit/users/statistics/segments.test.ts';
const BOUNDARIES = 'tests/unit/users/statistics/boundaries.test.ts';
const SCRIPTS = 'tests/unit/users/statistics/scripts.test.ts';
const LISTS = 'tests/unit/users/lists.test.ts';
const USER_ITEM = 'tests/unit/users/userItem.test.ts';
const ONE_STATE = 'tests/unit/users/listing/oneState.test.ts';
const NEW_STAGE = 'tests/unit/users/journal/newStage.test.ts';
const ENTRY = 'tests/unit/users/journal/entry.test.ts';

type Line = readonly [name: string, text: string, replacement: string, ...tests: string[]];

const of = (file: string, ...lines: readonly Line[]): Mutant[] =>
  lines.map(([name, text, replacement, ...tests]) => ({ name, file: `lib/${file}`, text, replacement, tests }));

export const MUTANTS: readonly Mutant[] = [
  ...of(
    'users/write.ts',
    [
      'a user is replaced whatever its version',
      "ConditionExpression: 'v = :version',",
      "ConditionExpression: ':version = :version',",
      STORE_WRITES,
    ],
    [
      'a create overwrites who has the id',
      'attribute_not_exists(${key})',
      'attribute_exists(${key}) OR attribute_not_exists(${key})',
      STORE,
      CHAOS,
    ],
    [
      'a write has no entry in the journal',
      '[...changes.flatMap((change) => changeItems(database, change)), ...more]',
      '[...changes.flatMap((change) => changeItems(database, change).slice(0, 1)), ...more]',
      GUARDS,
    ],
  ),
  ...of(
    'users/store.ts',
    [
      'a create with a key does not write the record of the key',
      'insert([user], [record])',
      'insert([user], [record].slice(1))',
      RETRIES,
    ],
    [
      'a key may stand for other fields',
      'if (earlier && earlier.hash !== hashOf(fields)) throw keyIsTaken();',
      '',
      RETRIES,
    ],
    [
      'a refused update is not tried again',
      "if ((await writeChanges(database, [change])) === 'committed') return after;",
      'await writeChanges(database, [change]); return after;',
      INTERLEAVINGS,
      STORE,
    ],
    ['a read of a user may be stale', 'Key: { id }, ConsistentRead: true', 'Key: { id }', INTERLEAVINGS, STORE],
  ),
  ...of(
    'users/idempotency.ts',
    [
      'a record that has expired still counts',
      'Item && Item.ttl > Math.floor(nowMs / 1_000)',
      'Item',
      IDEMPOTENCY,
      STORE,
    ],
    [
      'a key is written over',
      "ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now'",
      "ConditionExpression: 'attribute_not_exists(pk) OR #ttl > :now OR #ttl <= :now'",
      RETRIES,
    ],
  ),
  ...of('users/ids.ts', [
    'ids do not rise when the clock is set back',
    'last = Math.max(drawn, last + 1);',
    'last = drawn;',
    'tests/unit/users/ids.test.ts',
  ]),
  ...of(
    'users/keys.ts',
    [
      'no value sorts as a value does',
      'if (value === undefined) return MISSING;',
      "if (value === undefined) return '';",
      KEYS,
    ],
    [
      'the last code point is not tagged',
      'return value.startsWith(LAST_CODE_POINT) ? value.replace(LAST_CODE_POINT, TAGGED) : value;',
      'return value;',
      KEYS,
    ],
    ['numbers are not padded', "String(integer).padStart(ID_DIGITS, '0')", 'String(integer)', KEYS],
    [
      'the end of a prefix may be half a pair',
      'last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1',
      'last + 1',
      KEYS,
    ],
  ),
  ...of(
    'users/text.ts',
    ['a final sigma is another letter', ".replaceAll('ς', 'σ')", '', 'tests/unit/users/text.test.ts'],
    [
      'texts are compared by UTF-16 units',
      'if (difference !== 0) return rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));',
      'if (difference !== 0) return difference;',
      'tests/unit/users/text.test.ts',
    ],
  ),
  ...of('users/bytes.ts', [
    'a large integer loses bits',
    'left = Math.floor(left / SEVEN_BITS)',
    'left >>= 7',
    'tests/unit/users/bytes.test.ts',
  ]),
  ...of('users/hash.ts', [
    'a difference may be negative',
    'return sum < 0 ? sum + MODULUS : sum;',
    'return sum;',
    'tests/unit/users/hash.test.ts',
    JOURNAL,
  ]),
  ...of(
    'users/journal/entry.ts',
    [
      'older entries of a user come first',
      "String(MAX_VERSION - version).padStart(VERSION_DIGITS, '0')",
      "String(version).padStart(VERSION_DIGITS, '0')",
      ENTRY,
    ],
    ['a field that had no value keeps the new one', 'before[name] ?? null', 'before[name]', ENTRY, JOURNAL],
  ),
  ...of(
    'users/journal/head.ts',
    [
      'a list is cut beside a fold',
      'ConditionExpression: `epoch = :read AND ${IS_FREE}`,',
      'ConditionExpression: `epoch = :read OR epoch <> :read OR ${IS_FREE}`,',
      CUTS,
      RACES,
    ],
    ['two folds claim the same epoch', 'format AND epoch = :read AND', 'format AND :read = :read AND', RACES],
    [
      'a fold that is held claims',
      '(attribute_not_exists(heldUntil) OR heldUntil < :now)',
      '(:now = :now)',
      VERIFY,
      INTERLEAVINGS,
    ],
    [
      'a batch of another epoch is ended',
      "'epoch = :epoch AND attribute_exists(#batch)'",
      "':epoch = :epoch AND attribute_exists(#batch)'",
      RACES,
      CHAOS,
    ],
    [
      'another format is taken for this one',
      'item.format !== FORMAT) {',
      'item.format === null) {',
      'tests/tools/localTables.test.ts',
      STORE,
      VERIFY,
      GUARDS,
    ],
  ),
  ...of(
    'users/listing/oneState.ts',
    [
      'the journal is read before the lists',
      'await journalLast(database, guess, read);',
      '{} as Late;',
      ONE_STATE,
      RACES,
    ],
    [
      'a guess is taken for the answer',
      'result !== undefined && isSame(journal, known)',
      'result !== undefined',
      ONE_STATE,
      RACES,
    ],
    [
      'what is read after the journal is not doubted',
      'result !== undefined && replay.asked === asked',
      'result !== undefined',
      RACES,
    ],
    ['what takes long is not read again', 'runtime.monotonic() - start > READ_WITHIN_MS', 'false', ONE_STATE],
    ['a guess may cost anything', 'sizes.budgetUnits > FAST_UNITS', 'false', ONE_STATE],
  ),
  ...of(
    'users/journal/newStage.ts',
    [
      'users that the journal does not know are denied',
      'if (items.head.isMade || knowsAll',
      'if (true || knowsAll',
      NEW_STAGE,
    ],
    ['a user who is only in the table is denied', 'ids.every((id) => oldest.has(id)) &&', '', NEW_STAGE],
    ['a user with a later write is denied', 'before === undefined', 'true', NEW_STAGE],
  ),
  ...of(
    'users/journal/fold.ts',
    [
      'a batch with deleted entries is folded again',
      'const isPast = batch.length < head.batch.length;',
      'const isPast = false;',
      RACES,
    ],
    ['newest versions are folded first', 'ripe.toSorted((a, b) => a.version - b.version)', 'ripe', RACES],
    ['entries leave before indexes have caught up', '>= minimumAgeMs', '>= 0', JOURNAL, RACES],
    ['entries are deleted right after the claim', 'await runtime.sleep(writtenToDeleteMs);', '', RACES, GUARDS],
    ['a batch is never ended', 'await release(database, head.epoch);', '', GUARDS],
    ['the batch of a fold that died stays', '< OWNERS_TIME_MS', '< Number.MAX_SAFE_INTEGER', JOURNAL, FAULTS],
    [
      'an entry may be heavier than an item',
      '(bytes > MAX_BATCH_BYTES || ',
      '(',
      'tests/property/populations.test.ts',
      GUARDS,
    ],
  ),
  ...of(
    'users/journal/journal.ts',
    ['a batch that is past is shown', 'const isPast = batch.length < claimed.size;', 'const isPast = false;', GUARDS],
    ['a page newer than the journal is taken', 'if (epoch > head.epoch) throw new JournalMoved();', '', RACES],
    [
      'a journal of two pages is not checked',
      'if (pages > 1 && (await readHead(database)).epoch !== head.epoch) throw new JournalMoved();',
      '',
      RACES,
    ],
    [
      'the tag counts the batch twice',
      'tag: toHex(tagOf(head.tag, fresh))',
      'tag: toHex(tagOf(head.tag, entries))',
      RACES,
    ],
    ['the total lacks the fresh entries', 'total: totalOf(head.total, fresh),', 'total: head.total,', GUARDS, JOURNAL],
    ['an older entry of a user is shown', 'if (!latest.has(entry.id)) latest.set', 'latest.set', JOURNAL],
  ),
  ...of(
    'users/statistics/counts.ts',
    [
      'rows beyond the end of a page count',
      'isWithin(range, key) && isBefore(end, key, bucket)',
      'isWithin(range, key)',
      GUARDS,
    ],
    ['pages that know the batch get it again', '?.epoch !== journal.epoch)', '?.epoch !== -1)', RACES],
    ['pages that lack the batch do without', '?.epoch !== journal.epoch)', '?.epoch === -1)', RACES],
    [
      'the journal is not added',
      'for (const change of journal.fresh) visitChange(range, change, visitRecent);',
      '',
      JOURNAL,
    ],
  ),
  ...of(
    'users/statistics/pageWrites.ts',
    [
      'a page is written over',
      '...(read ? ifRevision(read.revision) : unlessThere) }',
      '...(read ? {} : unlessThere) }',
      GUARDS,
    ],
    [
      'a first page is written over',
      '...(read ? ifRevision(read.revision) : unlessThere) }',
      '...(read ? ifRevision(read.revision) : {}) }',
      GUARDS,
    ],
    ['a page is split by an old version', 'Item: marked, ...ifRevision(page.revision)', 'Item: marked', GUARDS],
    [
      'a page that is cut does not say so',
      'end: first.item.end, revision: page.revision + 1',
      'revision: page.revision + 1',
      SPLIT,
      GUARDS,
    ],
  ),
  ...of(
    'users/statistics/pages.ts',
    ['a gap between pages is not seen', 'if (areWhole(pages, stretch.to)) return pages;', 'return pages;', GUARDS],
    ['pages are read without strong consistency', '  ConsistentRead: true,\n', '', GUARDS, RACES],
    ['a writer trusts a weak read', 'return isPlausible ? page :', 'return true ? page :', RACES],
  ),
  ...of(
    'users/statistics/page.ts',
    ['rows that count nothing stay', 'n !== 0 || kept.includes(bucket)', 'true', PAGE],
    [
      'a page is trimmed one too late',
      'compareCodePoints(position, end) < 0',
      'compareCodePoints(position, end) <= 0',
      PAGE,
      GUARDS,
      RACES,
    ],
    ['a page is never cut', 'if (isSmall || parts.length < 2 || halvings === 0)', 'if (true)', PAGE],
  ),
  ...of('users/statistics/pageCache.ts', [
    'a page is found beyond its end',
    'return page && isIn(page, at) ? page : undefined;',
    'return page;',
    RACES,
    JOURNAL,
  ]),
  ...of(
    'users/statistics/write.ts',
    ['a page of a later epoch is written again', 'page.epoch >= epoch', 'page.epoch === epoch', RACES],
    ['a page that has the batch gets it again', 'if (page && page.epoch >= epoch) return [];', '', RACES],
    ['refused pages are not written again', 'if (!written) return deltas;', 'if (!written) return [];', RACES, FAULTS],
  ),
  ...of(
    'users/statistics/cuts.ts',
    [
      'a list is cut by an index with another user',
      'if (members.length !== total.users || checksum !== total.checksum) return;',
      'if (members.length !== total.users) return;',
      CUTS,
    ],
    [
      'a list is cut by an index that lacks users',
      'if (members.length !== total.users || checksum !== total.checksum) return;',
      '',
      CUTS,
    ],
    ['a segment is cut by an index that is late', ' || !isEqual(sumOf(key, parts), entry)', '', CUTS],
  ),
  ...of(
    'users/statistics/lastNames.ts',
    [
      'a name that has the keyword twice counts twice',
      'name = whole.indexOf(keyword) === key.length - end - 1 ? whole : undefined;',
      'name = whole;',
      LISTING,
      JOURNAL,
    ],
    ['a pair of surrogates is cut', '(name.codePointAt(at) ?? 0) > 0xffff ? 2 : 1', '1', JOURNAL, LISTING],
  ),
  ...of(
    'users/listing/scan.ts',
    ['stale users of an index are shown', 'if (!view.journal.latest.has(user.id)) yield user;', 'yield user;', JOURNAL],
    ['users of the journal are not shown', 'for (const { user } of written) yield user;', '', JOURNAL],
  ),
  ...of(
    'users/listing/order.ts',
    [
      'equal users come in any order',
      'return 0;',
      'return Math.sign(Number(b.user.id) - Number(a.user.id)) || 0;',
      'tests/unit/users/order.test.ts',
      LISTING,
    ],
    [
      'the last mention of a property wins',
      'keys.findIndex((key) => key.property === property) === i',
      'keys.findLastIndex((key) => key.property === property) === i',
      'tests/unit/users/order.test.ts',
    ],
  ),
  ...of(
    'users/listing/rank.ts',
    ['a rank is one too high', 'rank += users;', 'rank += users + 1;', LISTING, JOURNAL],
    ['segments that do not add up are used', 'usersIn(segments) === part.high.rank - part.low.rank', 'true', CUTS],
    ['users of one millisecond are ranked by segments', '|| list.createdAt !== undefined', '', MOMENTS],
    ['the rank of a run is not taken off', 'rank: rank - offset', 'rank', RUNS, LISTING],
    ['all segments are of one run', 'compareCodePoints(high.key, runEnd(list, text)) <= 0', 'true', RUNS, LISTING],
  ),
  ...of(
    'users/listing/cases.ts',
    ['an order keeps to the case of its first user', 'first[field] === last[field] ?', 'true ?', RUNS, LISTING],
    ['the case of a value is never known', 'return first && last &&', 'return false && first && last &&', COST],
  ),
  ...of(
    'users/listing/criteria.ts',
    ['the larger of two lists is read', 'valuesIn(b) - valuesIn(a)', 'valuesIn(a) - valuesIn(b)', COST],
    [
      'a filter is not looked for in a list',
      'entriesOf(criteria.values).every(([field, value]) => values[field] === value) &&',
      '',
      RUNS,
      LISTING,
    ],
  ),
  ...of('users/listing/runs.ts', [
    'the end of a run is looked for',
    'return Math.max(0, query.take - before);',
    'return query.take;',
    COST,
  ]),
  ...of('users/rebuild/repair.ts', [
    'a list that has become short keeps its level',
    'levels.has(1) ? 1 : 0',
    '1',
    VERIFY,
  ]),
  ...of('users/statistics/segmented.ts', [
    'segments are not announced',
    '...(level === before ? [] : [{ Put: pagePut(database, { ...bounds, epoch: 0 }, changed, page) }]),',
    '',
    SEGMENTED,
    CUTS,
    JOURNAL,
  ]),
  ...of(
    'users/statistics/boundaries.ts',
    ['no list has level 2', 'if (segments.length > database.sizes.fewSegments)', 'if (segments.length < 0)', CUTS],
    [
      'a bound is short by one character too many',
      'above.slice(0, shared) + String.fromCodePoint(above.codePointAt(shared) ?? 0)',
      'above.slice(0, shared)',
      BOUNDARIES,
    ],
    [
      'a bound need not be between its neighbours',
      'return isBetween ? separator : above.slice(0, endOfText + 1);',
      'return separator;',
      BOUNDARIES,
    ],
    [
      'a bound within a run is short by one digit too many',
      'return above.slice(0, shared + 1);',
      'return above.slice(0, shared);',
      BOUNDARIES,
    ],
    [
      'a bound within a run does not tell the run',
      'if (shared > endOfText) return above.slice(0, shared + 1);',
      '',
      BOUNDARIES,
    ],
    [
      'a bound is cut within a pair',
      'String.fromCodePoint(above.codePointAt(shared) ?? 0)',
      'above.charAt(shared)',
      BOUNDARIES,
    ],
    ['a bound may begin a key together with NUL', '?? 0) + END_OF_TEXT;', '?? 0);', BOUNDARIES],
    ['a bound is the key of a user', 'separator : above.slice(0, endOfText + 1)', 'separator : above', BOUNDARIES],
    ['a segment is cut beyond its end', '&& (to === undefined || compareCodePoints(key, to) < 0)', '', CUTS],
    ['a short run is cut', 'if (start === place) return place;', 'return place;', BOUNDARIES],
    ['a long run is not cut', 'if (textAt(from) === textAt(to - 1)) return place;', '', BOUNDARIES],
  ),
  ...of(
    'users/keys.ts',
    ['values that differ in case have one order text', "value === folded ? '' : value", "''", KEYS],
    ['a value is written twice', "value === folded ? '' : value", 'value', KEYS],
  ),
  ...of('users/rebuild/folded.ts', [
    'the journal is not rolled back',
    'rollBack(users, entries);',
    '',
    VERIFY,
    INTERLEAVINGS,
  ]),
  ...of('users/rebuild/repair.ts', [
    'a page that is swept takes its epoch along',
    'const epoch = Math.max(before.epoch, page.epoch);',
    'const epoch = before.epoch;',
    GUARDS,
  ]),
  ...of(
    'dynamodb/transact.ts',
    ['a transaction has no token', 'ClientRequestToken: randomUUID() }', "ClientRequestToken: '' }", TRANSACT, DELAYED],
    [
      'each try has a token of its own',
      'await dynamo.send(new TransactWriteCommand(request));',
      'await dynamo.send(new TransactWriteCommand({ ...request, ClientRequestToken: randomUUID() }));',
      TRANSACT,
      DELAYED,
    ],
    ['a refusal is a conflict', "if (codes.includes('ConditionalCheckFailed')) return 'refused';", '', TRANSACT],
    ['throttling is retried for ever', '++throttled === MAX_THROTTLED', '++throttled === -1', TRANSACT],
  ),
  ...of(
    'dynamodb/attempts.ts',
    [
      'permanent errors are tried again',
      "errorType === 'TRANSIENT' ? FAILURE_DELAYS : undefined",
      'FAILURE_DELAYS',
      TRANSACT,
      STORE,
    ],
    ['a call is tried for ever', '!delays || retries + 1 >= maxAttempts', '!delays', TRANSACT, ATTEMPTS],
    [
      'a write that meets a transaction fails',
      "if (error?.name === 'TransactionConflictException') return CONFLICT_DELAYS;",
      '',
      ATTEMPTS,
    ],
    [
      'a pause ignores the deadline',
      'await sleepWithin(runtime, backoff(retries',
      'await runtime.sleep(backoff(retries',
      ATTEMPTS,
    ],
    ['an attempt is begun without time', 'ensureTime(runtime);', '', ATTEMPTS],
    ['an attempt may take for ever', 'Math.min(longest, timeLeft(runtime))', 'timeLeft(runtime)', ATTEMPTS],
    [
      'an attempt goes on after its end',
      'context.attemptSignal && { abortSignal: context.attemptSignal }',
      '{}',
      ATTEMPTS,
    ],
  ),
  ...of(
    'users/listing/stretches.ts',
    ['a segment with the script is left out', 'if (most === 0 ||', 'if (most <= 1 ||', STRETCHES, SEARCHES],
    [
      'segments that do not add up are used',
      'if (segments.reduce((sum, segment) => sum + segment.users, 0) !== users) return undefined;',
      '',
      STRETCHES,
    ],
    ['every sum is looked into', 'areSums && segment.users - most >', 'areSums || segment.users - most >', STRETCHES],
    ['one script of a keyword is enough', 'Math.min(...scripts', 'Math.max(...scripts', STRETCHES],
    ['a stretch begins before its range', "isAbove(range.low, low ?? '') ? range.low : low", 'low', STRETCHES],
    ['stretches that meet are read one by one', "direction === 'asc' && last.high === range.low", 'false', STRETCHES],
    ['a part of a run is left out', '!isById(list) && countsScripts', 'countsScripts', STRETCHES],
  ),
  ...of(
    'users/listing/pages.ts',
    ['a search reads all scripts', 'if (!canLeaveOut(list, keyword)) {', 'if (true) {', SCAN],
    [
      'a search begins again after its first users',
      'low: keyBeside(list, toUser(last), 1) }',
      'low: range.low }',
      SCAN,
    ],
  ),
  ...of(
    'users/lists.ts',
    [
      'the key beside another is its own',
      'padded(user.id + step) : orderKey(orderText(user, index.order), user.id + step)',
      'padded(user.id) : orderKey(orderText(user, index.order), user.id)',
      LISTS,
      SCAN,
    ],
    ['the key beside another is one too far', 'user.id + step);', 'user.id + 2 * step);', LISTS],
  ),
  ...of(
    'users/statistics/segments.ts',
    [
      'a name that changes its script is not counted',
      ', ...scriptsOf(list, user as User)].join(SEPARATOR)',
      '].join(SEPARATOR)',
      SEGMENTS,
      SEARCHES,
    ],
    ['the checksum lacks the scripts', 'hash48([key, ...buckets].join(SEPARATOR))', 'hash48(key)', CUTS],
    [
      'a list with sums is read whole',
      'users <= aimOf(sizes.fewSegments) * aimOf(sizes.segmentUsers)',
      'users <= sizes.fewSegments * sizes.segmentUsers',
      SEGMENTS,
    ],
    ['sums are read for every list', 'users <= aimOf', 'users < aimOf', SEGMENTS],
  ),
  ...of('users/statistics/scripts.ts', [
    'a text has the script of its first letter',
    'new Set(Array.from(text, signOf))',
    'new Set(Array.from(text, signOf).slice(0, 1))',
    SCRIPTS,
  ]),
  ...of(
    'users/userItem.ts',
    [
      'a name that is no field’s is restored',
      'const fields: Record<string, unknown> = {};',
      'const fields: Record<string, unknown> = { ...stored };',
      USER_ITEM,
    ],
    ['null is a value', 'if (stored[short] != null)', 'if (stored[short] !== undefined)', USER_ITEM],
    ['a field without a value is stored', 'if (fields[field] !== undefined) stored', 'stored', USER_ITEM],
  ),
  ...of('users/listing/follow.ts', [
    'a misled walk never changes over',
    'if (view.units > limit) throw new Misled();',
    '',
    'tests/integration/cost.test.ts',
  ]),
  ...of('users/listing/choosePlan.ts', [
    'a plan of certain cost is chosen only if it is cheaper',
    'walk.estimate * view.database.sizes.walkPromise',
    'walk.estimate',
    'tests/integration/cost.test.ts',
  ]),
  ...of('users/statistics/page.ts', [
    'the counts of a status are scattered',
    "shortHash(bucket.split(SEPARATOR, 1)[0] ?? '') + shortHash(bucket)",
    'shortHash(bucket) + shortHash(`${bucket} `)',
    PAGE,
  ]),
  ...of('users/listing/planGroups.ts', [
    'a name counts users of all first names',
    'const isCounted = Object.keys(criteria.texts).length === 0;',
    'const isCounted = true;',
    SEARCHES,
  ]),
  ...of('users/rebuild/hold.ts', [
    'a repair that was frozen goes on',
    'if (runtime.monotonic() - renewed > LEASE_MS)',
    'if (false)',
    'tests/integration/hold.test.ts',
  ]),
  ...of(
    'dynamodb/itemCommands.ts',
    ['half a response is believed', '!isWhole(commandName, args.input, result.output)', 'false', ATTEMPTS],
    ['a list without items is believed', "member !== 'Count' || !lacks('Items')", 'true', ATTEMPTS],
  ),
  ...of(
    'dynamodb/errors.ts',
    ['a lost connection is a fault', "  'ECONNRESET',\n", '', FAULTS, ATTEMPTS],
    [
      'an error of the SDK is not translated',
      'throw fault(`DynamoDB refused the request: ${textOf(error)}`);',
      'throw error;',
      HANDLERS,
    ],
  ),
  ...of('dynamodb/batchWrite.ts', [
    'unprocessed items of a batch are forgotten',
    'unprocessed = response.UnprocessedItems?.[table] ?? [];',
    'unprocessed = [];',
    FAULTS,
  ]),
  ...of('dynamodb/query.ts', [
    'the first page of a query is all',
    'from = page.LastEvaluatedKey;',
    'from = undefined;',
    'tests/unit/dynamodb/query.test.ts',
  ]),
  ...of(
    'deadline.ts',
    [
      'work goes on after its function has ended',
      'deadline.at = Number.NEGATIVE_INFINITY;',
      '',
      'tests/unit/deadline.test.ts',
      ATTEMPTS,
    ],
    [
      'an outer deadline is forgotten',
      'deadline ? Math.min(deadline.at, endOf(deadline.outer))',
      'deadline ? deadline.at',
      'tests/unit/deadline.test.ts',
    ],
    [
      'a container that was frozen goes on',
      '  await runtime.sleep(milliseconds);\n  ensureTime(runtime);',
      '  await runtime.sleep(milliseconds);',
      'tests/unit/deadline.test.ts',
      ATTEMPTS,
      DEADLINE,
    ],
  ),
  ...of('http/endpointWithBody.ts', [
    'the parameters are checked before the body',
    'body: readBody(event, body),\n    parameters: parameters(event),',
    'parameters: parameters(event),\n    body: readBody(event, body),',
    ENDPOINT,
  ]),
  ...of(
    'http/endpoint.ts',
    ['work goes on after its 503', 'TIMEOUT_MARGIN_MS + 100', 'TIMEOUT_MARGIN_MS - 400', DEADLINE],
    ['an expired token is let in', '.use(refuseExpiredTokens())', '', HANDLERS],
    [
      'reserved ids are ids',
      '.use(refuseReservedIds())',
      '',
      HANDLERS,
      'tests/integration/http-routes.test.ts',
      'tests/integration/http-users.test.ts',
    ],
  ),
  ...of(
    'http/conditional.ts',
    [
      'If-Match takes a weak tag',
      'tagsOf(field).includes(etag);',
      'tagsOf(field).map(withoutWeakness).includes(etag);',
      HANDLERS,
      'tests/integration/conditional.test.ts',
    ],
    [
      'If-None-Match refuses no change',
      '(noneMatch !== undefined && matchesWeakly(noneMatch, etagOf(user)))',
      'false',
      HANDLERS,
      'tests/integration/conditional.test.ts',
    ],
  ),
  ...of('http/request/idempotencyKey.ts', [
    'callers share keys',
    'return caller === undefined ? key : ',
    'return caller !== undefined ? key : ',
    PARAMETERS,
    HANDLERS,
  ]),
  ...of(
    'http/request/parameters.ts',
    [
      'a parameter may be given twice',
      'if (others.length > 0) throw badRequest(`${name} must be given only once`);',
      '',
      PARAMETERS,
    ],
    ['a page may be below 0', '!(number >= 0 && number <= MAX_PAGE)', '!(number <= MAX_PAGE)', PARAMETERS],
    ['a page may have any size', 'size: Math.min(size, MAX_SIZE)', 'size', PARAMETERS, HANDLERS],
    [
      'a cursor beyond the last id is not bounded',
      'id >= BigInt(MAX_ID) ? MAX_ID - 1 : Number(id)',
      'Number(id)',
      PARAMETERS,
    ],
  ),
  ...of(
    'http/request/body.ts',
    [
      'a body may have any size',
      'if (Buffer.byteLength(body) > MAX_BODY_BYTES)',
      'if (false)',
      HANDLERS,
      'tests/unit/http/request/events.test.ts',
    ],
    [
      'a body may have any depth',
      'if (isDeeperThan(MAX_DEPTH, jsonOf(text)))',
      'if (false)',
      HANDLERS,
      'tests/unit/http/request/events.test.ts',
    ],
    ['base64 is taken for JSON', "isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : ", '', HANDLERS],
  ),
  ...of(
    'http/request/jsonPatch.ts',
    [
      'inherited members are members',
      'isContainer(value) && Object.hasOwn(value, token)',
      'isContainer(value) && token in value',
      USER_PATCH,
      PATCH,
    ],
    [
      'a prototype may be set',
      'Object.defineProperty(container, token, { value, writable: true, enumerable: true, configurable: true });',
      'Object.assign(container, { [token]: value });',
      USER_PATCH,
      PATCH,
    ],
    [
      'a document may grow without end',
      'if (JSON.stringify(root).length > MAX_CHARACTERS) throw new PatchConflict();',
      '',
      USER_PATCH,
      PATCH,
    ],
    [
      'a value may be moved into itself',
      "if (op === 'move' && isWithin(path, from)) throw new PatchConflict();",
      '',
      USER_PATCH,
      PATCH,
    ],
    [
      'a test never fails',
      'if (!isEqual(read(locationOf(root, tokens)), value)) throw new PatchConflict();',
      '',
      USER_PATCH,
      PATCH,
    ],
  ),
  ...of(
    'http/request/patch.ts',
    [
      'the result of a patch is not checked',
      'return pickFields(checkUser(root.document));',
      'return pickFields(root.document as UserFields);',
      USER_PATCH,
      PATCH,
    ],
    [
      'null is a value',
      'if (value === null) merged.delete(name);',
      'if (value === undefined) merged.delete(name);',
      USER_PATCH,
      PATCH,
    ],
  ),
  ...of('http/response/formulas.ts', [
    'a formula is not guarded',
    'FORMULA.test(text) ? APOSTROPHE + text : text',
    'text',
    'tests/unit/http/response/csv.test.ts',
  ]),
  ...of('http/response/problems.ts', [
    'a fault reveals its cause',
    'SERVER_MESSAGES[status] ?? message',
    'message',
    HANDLERS,
  ]),
  ...of('http/response/links.ts', [
    'there is a page after the last',
    'number < last &&',
    'number <= last &&',
    HANDLERS,
    'tests/integration/listings.test.ts',
  ]),
  ...of(
    'auth/tokens.ts',
    ['a token for another audience is taken', 'if (!isForAudience(claims, audiences))', 'if (false)', TOKENS],
    ['a token without an end is taken', 'if (!Number.isFinite(claims.exp))', 'if (false)', TOKENS],
    ['a list in a list counts as a scope', '[claim].flat())', '[claim].flat(9))', TOKENS],
    ['a token of another issuer is taken', 'issuer: name, ', '', TOKENS],
    ['an issuer that fails once is never asked again', 'discovered = undefined;', '', TOKENS],
    [
      'scopes of other programs count',
      'const named = all.filter((scope) => scope.startsWith(prefix));',
      'const named = all;',
      TOKENS,
    ],
  ),
  ...of(
    'auth/policy.ts',
    ['each scope allows all', 'scope !== undefined && scopes.has(scope)', 'scope !== undefined', POLICY],
    ['a policy is for one request', "methodArn.split('/', 2).join('/')", 'methodArn', POLICY],
    ['a caller without scopes is refused nothing', "Effect: 'Deny'", "Effect: 'Allow'", POLICY],
  ),
];
