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

const FOLD = 'tests/unit/users/fold/fold.test.ts';
const SPLIT = 'tests/unit/users/fold/split.test.ts';
const ROWS = 'tests/unit/users/tree/rows.test.ts';
const RECENT = 'tests/unit/users/statistics/recent.test.ts';
const PACK = 'tests/unit/users/tree/pack.test.ts';
const NODES = 'tests/unit/users/tree/nodes.test.ts';
const WRITE = 'tests/unit/users/tree/write.test.ts';
const ERASURE = 'tests/unit/users/changes/erasure.test.ts';
const CACHE = 'tests/unit/users/tree/cache.test.ts';
const NAMES = 'tests/unit/users/statistics/names.test.ts';
const TOTALS = 'tests/unit/users/statistics/totals.test.ts';
const BUILD = 'tests/unit/users/rebuild/build.test.ts';
const UPGRADE = 'tests/unit/users/rebuild/upgrade.test.ts';
const HOLD = 'tests/integration/hold.test.ts';
const SENDER = 'tests/unit/users/changes/sender.test.ts';
const ENTRIES = 'tests/unit/events/eventBridge.test.ts';
const HEAD = 'tests/unit/users/journal/head.test.ts';
const MERGE = 'tests/unit/users/fold/merge.test.ts';
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
const TRANSACT = 'tests/unit/dynamodb/transact.test.ts';
const STATEMENTS = 'tests/unit/dynamodb/statements.test.ts';
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
const SEGMENTS = 'tests/unit/users/statistics/segments.test.ts';
const SCRIPTS = 'tests/unit/users/statistics/scripts.test.ts';
const USER_ITEM = 'tests/unit/users/userItem.test.ts';
const ONE_STATE = 'tests/unit/users/listing/oneState.test.ts';
const NEW_STAGE = 'tests/unit/users/journal/newStage.test.ts';
const ENTRY = 'tests/unit/users/journal/entry.test.ts';
const FEED = 'tests/unit/users/changes/feed.test.ts';
const HISTORY = 'tests/unit/users/changes/history.test.ts';
const SKIP = 'tests/unit/users/listing/skip.test.ts';
const LIFE = 'tests/unit/users/life.test.ts';

const CRITERIA = 'tests/unit/users/listing/criteria.test.ts';
const TILES = 'tests/unit/users/listing/tiles.test.ts';
const RUNS = 'tests/unit/users/listing/runs.test.ts';
const MOMENTS = 'tests/unit/users/listing/moments.test.ts';
const NEW_INDEX = 'tests/unit/users/listing/newIndex.test.ts';
const PLAN = 'tests/unit/users/listing/plan.test.ts';
const VARIANTS = 'tests/unit/users/listing/variants.test.ts';
const SCAN = 'tests/unit/users/listing/scan.test.ts';
const BUDGET = 'tests/integration/budget.test.ts';

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
      FOLD,
    ],
  ),
  ...of(
    'users/store.ts',
    [
      'a create with a key does not write the record of the key',
      'insert([user], by, [record])',
      'insert([user], by, [record].slice(1))',
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
    ['two folds claim the same epoch', 'format AND epoch = :read AND', 'format AND :read = :read AND', HEAD, RACES],
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
      'result !== undefined && replay.asked === 0',
      'result !== undefined',
      RACES,
    ],
    ['what takes long is not read again', 'runtime.monotonic() - start > READ_WITHIN_MS', 'false', ONE_STATE],
    ['a guess may cost anything', 'sizes.budgetUnits > FAST.budgetUnits', 'false', ONE_STATE],
  ),
  ...of(
    'users/listing/criteria.ts',
    [
      'a filter that a list does not have is taken for met',
      'entriesOf(criteria.values).every(([field]) => isImplied(field)) &&',
      '',
      CRITERIA,
      LISTING,
    ],
    ['a keyword is taken for met', 'criteria.keyword === undefined &&', '', CRITERIA, LISTING],
    ['users of several values are taken to be in the order of ids', 'text.includes(SEPARATOR)', 'true', CRITERIA, RUNS],
    [
      'a batch after a cursor begins at the first id',
      '{ after: padded(after + 1) }',
      '{ after: padded(0) }',
      CRITERIA,
      LISTING,
    ],
    ['the end of a range belongs to it', 'padded((last ?? 0) + 1)', 'padded(last ?? 0)', MOMENTS, LISTING],
  ),
  ...of(
    'users/listing/tiles.ts',
    ['what segments do not tell is guessed', '!Number.isNaN(rank + users)', 'true', TILES],
    ['a value that may be among others is counted as absent', 'least === most ? least : Number.NaN', 'least', TILES],
    [
      'a key in a segment has the rank of the segment',
      'users += some.filter(hasWanted(wanted)).length;',
      '',
      RUNS,
      LISTING,
    ],
    ['all users of a segment are counted for a value', 'some.filter(hasWanted(wanted))', 'some', LISTING],
    ['users behind a key are added to its rank', 'rank + users - (await', 'rank + users + (await', LISTING],
    ['a segment without the script is read', 'mostWith(segment, scripts) <= 0', 'false', TILES],
    ['many users between two parts are read', 'gap <= GAP', 'true', TILES],
  ),
  ...of(
    'users/listing/slice.ts',
    [
      'a part of a list begins at the rank of its list',
      'const first = start - Math.max(0, tile.rank - offset);',
      'const first = start - tile.rank;',
      LISTING,
    ],
    [
      'a list without segments has no deep page',
      'if (!tiles && isWhole) return fromNearerEnd(view, span, total, start, end);',
      '',
      NEW_INDEX,
    ],
    [
      'users of other values are shown',
      'await readAll(view, spans, hasWanted(wanted))',
      'await readAll(view, spans, () => true)',
      LISTING,
    ],
  ),
  ...of(
    'users/listing/runs.ts',
    [
      'a run that is cut is sorted as it is',
      'if (run.begins && run.ends)',
      'if (run.begins || run.ends)',
      RUNS,
      LISTING,
    ],
    ['values that differ in case are not one', 'foldEncoded(value) === text', 'value === text', RUNS, LISTING],
    [
      'a run of a descending list begins at its low rank',
      "lead.direction === 'asc' ? low : total - high",
      'low',
      RUNS,
      LISTING,
    ],
  ),
  ...of(
    'users/listing/walk.ts',
    ['a walk never gives up', 'spent.units > budgetUnits || weigh(spent) > limit', 'false', BUDGET],
    ['a run is cut where there are enough users', 'if (hasRuns) return false;', '', LISTING],
    ['values that differ in case are cut', '(await view.values(property, {}, text)).length < 2', 'true', VARIANTS],
    ['a user is read twice', '{ from: `${key}\\0` }', '{ from: key }', LISTING],
  ),
  ...of(
    'users/listing/plan.ts',
    ['a call costs nothing', 'units + UNITS_PER_CALL * calls', 'units', PLAN],
    ['a walk is tried twice', '|| facts.hasWalked', '', BUDGET],
    [
      'a page may cost anything',
      'if (cost.units <= budgetUnits && cost.calls <= budgetCalls) return;',
      'return;',
      BUDGET,
    ],
    ['a page has all users of its first group', 'Math.max(skip - position, 0)', '0', PLAN],
  ),
  ...of(
    'users/listing/search.ts',
    [
      'names that begin alike are one range whatever they contain',
      'name.slice(0, name.indexOf(keyword) + keyword.length)',
      'name.slice(0, 1)',
      LISTING,
    ],
    ['a page of names begins with its first name', 'skip: page[0]?.skip ?? 0', 'skip: 0', LISTING],
  ),
  ...of(
    'users/listing/scan.ts',
    ['an index is believed about a user of the journal', '!view.journal.latest.has(user.id) &&', '', SCAN],
    ['users beyond the end of a part are read', '&& isWithin(span, key)) users.push(user)', ') users.push(user)', SCAN],
    ['the journal is read again after the last page', '!isLast && end !== undefined', 'end !== undefined', SCAN],
  ),
  ...of('users/listing/view.ts', [
    'a list that has no segments is taken to have them',
    'journal.indexes.includes(list.index.name)',
    'true',
    NEW_INDEX,
  ]),
  ...of('users/listing/stream.ts', [
    'values that differ in case are not sorted together',
    '!(isExactField(lead.property) && hasVariants(variants, lead.property, text))',
    'true',
    LISTING,
  ]),
  ...of(
    'users/journal/head.ts',
    [
      'a rebuild that is under way is swept',
      'Number.parseInt(generation, 10) <= Number.parseInt(present, 10)',
      'true',
      INTERLEAVINGS,
      RACES,
    ],
    [
      'a fold counts in an index that has no segments',
      'ALL_INDEXES.filter((name) => indexes.includes(name))',
      'ALL_INDEXES',
      NEW_INDEX,
    ],
  ),
  ...of(
    'users/journal/newStage.ts',
    ['a user who is only in the table is denied', 'ids.every((id) => oldest.has(id)) &&', '', NEW_STAGE],
    ['a user with a later write is denied', 'before === undefined', 'true', NEW_STAGE],
  ),
  ...of(
    'users/fold/fold.ts',
    [
      'a batch with deleted entries is folded again',
      'const isPast = batch.length < head.batch.length;',
      'const isPast = false;',
      RACES,
    ],
    ['newest versions are folded first', 'oldestFirst(entries)', 'entries', RACES],
    ['entries leave before indexes have caught up', 'seen + minimumAgeMs', '0', FOLD, RACES],
    ['entries leave right after the last node', 'written + writtenToDeleteMs', '0', FOLD, RACES],
    ['entries never rest', 'units <= REST_UNITS', 'units < 0', FOLD],
    ['entries rest however many they are', 'units <= REST_UNITS && ', '', FOLD],
    ['a batch is never ended', 'await release(database, head.epoch);', '', FOLD],
    ['the batch of a fold that died stays', '< OWNERS_TIME_MS', '< Number.MAX_SAFE_INTEGER', JOURNAL, FAULTS],
    [
      'a batch may be heavier than some seconds of writes',
      '(bytes > MAX_BATCH_BYTES || ',
      '(',
      'tests/property/populations.test.ts',
      FOLD,
    ],
  ),
  ...of(
    'users/journal/journal.ts',
    ['a batch that is past is shown', 'const isPast = batch.length < claimed.size;', 'const isPast = false;', FOLD],
    ['a page newer than the journal is taken', 'if (epoch > head.epoch) throw new JournalMoved();', '', HEAD, RACES],
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
    ['the total lacks the fresh entries', 'total: totalOf(head.total, fresh),', 'total: head.total,', FOLD, JOURNAL],
    ['an older entry of a user is shown', 'if (!latest.has(entry.id)) latest.set', 'latest.set', JOURNAL],
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
  ...of('users/statistics/segments.ts', [
    'the checksum lacks the scripts',
    'hash48([key, ...buckets].join(SEPARATOR))',
    'hash48(key)',
    SEGMENTS,
  ]),
  ...of('users/read.ts', [
    'a read of a user may be stale',
    'Key: { id }, ConsistentRead: true',
    'Key: { id }',
    INTERLEAVINGS,
    STORE,
  ]),
  ...of(
    'users/journal/head.ts',
    ['a later format is taken for this one', ' || format > FORMAT', '', UPGRADE],
    ['a format with other users is taken for an earlier one', 'format < FIRST_FORMAT || ', '', UPGRADE],
    ['an earlier format is taken for this one', 'format === FORMAT;', 'format !== undefined;', UPGRADE],
    [
      'statistics that a fold has overtaken become the present ones',
      '(attribute_not_exists(epoch) OR epoch = :read)',
      '(attribute_not_exists(epoch) OR epoch = :read OR epoch <> :read)',
      HOLD,
    ],
    ['a repair that was frozen switches', ' AND heldUntil > :now', '', HOLD],
    ['old sums stay in the head', ' REMOVE checksum', '', UPGRADE],
  ),
  ...of('users/journal/newStage.ts', [
    'users that the journal does not know are denied',
    'if (isMade(items.head) || knowsAll',
    'if (true || knowsAll',
    NEW_STAGE,
  ]),
  ...of(
    'users/tree/rows.ts',
    ['rows that count nothing stay', 'added.filter(({ counts }) => counts.size > 0)', 'added', ROWS],
    ['numbers that are zero stay', '.filter(([, n]) => n !== 0)', '', ROWS],
    ['those who leave are taken off first', 'Math.sign(b.n) - Math.sign(a.n)', 'Math.sign(a.n) - Math.sign(b.n)', ROWS],
    ['a row counts users of another list', "compareCodePoints(next[at]?.key ?? '', start) < 0", 'false', ROWS],
    ['the rows of others are changed', '{ key: row.key, counts: new Map(row.counts) }', 'row', ROWS],
    [
      'a node is trimmed one too late',
      'compareCodePoints(positionOf(row.key, bucket), end) < 0',
      'compareCodePoints(positionOf(row.key, bucket), end) <= 0',
      ROWS,
    ],
    [
      'the row at the end of a node counts',
      'if (compareCodePoints(row.key, end) >= 0) return [];',
      'if (compareCodePoints(row.key, end) > 0) return [];',
      ROWS,
    ],
    ['a node is never cut', 'if (parts.length < 2 ||', 'if (true ||', ROWS, WRITE],
    ['the values of lists that are gone stay', 'counts.size === 0 && startOf', 'false && startOf', ROWS, ERASURE],
    ['a list whose first users are gone loses its first row', '|| startOf(next) !== key', '|| true', ROWS],
    ['a row of ranges is cut', 'const parts = ranges ?', 'const parts = !ranges ?', ROWS],
    [
      'the counts of a status are scattered',
      "shortHash(bucket.split(SEPARATOR, 1)[0] ?? '') + shortHash(bucket)",
      'shortHash(bucket) + shortHash(`${bucket} `)',
      ROWS,
    ],
  ),
  ...of('users/tree/pack.ts', [
    'only the first number of a row is stored',
    '...Array.from(row.counts).flat()',
    '...([...counts][0] ?? [])',
    PACK,
  ]),
  ...of(
    'users/tree/nodes.ts',
    ['a gap between nodes is not seen', 'if (areWhole(nodes, stretch.to)) return nodes;', 'return nodes;', NODES],
    ['a writer trusts a weak read', 'return isPlausible ? nodes :', 'return floor ? nodes :', NODES],
    [
      'a short stretch is always one node',
      'if (floor && areWhole([floor], to)) return [floor];',
      'if (floor) return [floor];',
      NODES,
    ],
    ['nodes are read without strong consistency', '  ConsistentRead: true,\n', '', NODES, RACES],
  ),
  ...of(
    'users/tree/read.ts',
    ['nodes that know the batch get it again', '?.epoch !== overlay.epoch;', '?.epoch !== -1;', NODES],
    ['nodes that lack the batch do without', '?.epoch !== overlay.epoch;', '?.epoch === -1;', NODES],
    ['the journal is not added', '[...overlay.fresh, ...overlay.batch', '[...overlay.batch', NODES],
    ['nodes newer than the journal are taken', 'for (const { epoch } of nodes) overlay.expect(epoch);', '', NODES],
    [
      'a node that was split counts beyond its end',
      'trim(unpack(data), nodes[i + 1]?.sk ?? end)',
      'unpack(data)',
      NODES,
    ],
  ),
  ...of(
    'users/tree/write.ts',
    [
      'a node that is split is written over',
      "{ ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': read.revision } }",
      '{}',
      WRITE,
    ],
    ['a first node is written over', "{ ConditionExpression: 'attribute_not_exists(pk)' };", '{};', WRITE],
    ['the parts of a node have no end', 'end: parts[i + 1]?.[0]?.from ?? place.end,', 'end: place.end,', WRITE],
    [
      'a node is split together with what its rows become',
      'await write(tree, [[{ node, read }]]);',
      'await write(tree, [writesOf(tree, map, read, rows, read)]);',
      INTERLEAVINGS,
    ],
    ['empty lists stay in a node', 'if (!ranges) return rows;', 'return rows;', ERASURE],
    ['a list that goes on in the next node is taken for empty', 'rows[i + 1]?.key ?? end', 'rows[i + 1]?.key', WRITE],
    ['a great deal is added at once', 'bytes < MOST_ADDED_BYTES', 'bytes < Number.MAX_VALUE', WRITE],
    [
      'a node that was cut is taken for one that has its changes',
      'if (!each.added) return false;',
      'if (!each.added) return true;',
      WRITE,
    ],
    ['a node of a later epoch is written again', 'node.epoch >= epoch', 'node.epoch === epoch', WRITE],
    ['a node that has the batch gets it again', 'if (node && node.epoch >= epoch) return undefined;', '', WRITE],
    [
      'refused nodes are not written again',
      'if (!outcomes.shift()) return false;',
      'if (!outcomes.shift()) return true;',
      WRITE,
    ],
    ['rows that did not change are reported', 'if (!known.has(row)) onRow(row);', 'onRow(row);', WRITE],
  ),
  ...of(
    'users/fold/merge.ts',
    ['merged names stay for ever', 'if (merged) await deleteMap(', 'if (!merged) await deleteMap(', RECENT],
    [
      'names join those that are being merged',
      '{ epoch: epoch + 1, weight }',
      '{ epoch: recent.epoch, weight }',
      RECENT,
    ],
    ['a merge ends with its last node', '< writtenToEndMs', '< 0', MERGE, RACES],
    ['a merge ends before its last node', 'if (now?.left.length === 0)', 'if (now)', RECENT, RACES],
  ),
  ...of(
    'users/statistics/recent.ts',
    [
      'names that were merged and deleted are taken for none',
      "if (first?.key !== WEIGHT || first.counts.get('') !== expected) throw new JournalMoved();",
      '',
      RECENT,
    ],
    [
      'names that are being merged are counted by nobody',
      'journal.merging ? readRecent(',
      'undefined ? readRecent(',
      RECENT,
    ],
    ['a change of nothing is written', 'left.bucket === entered.bucket', 'false', RECENT],
  ),
  ...of('users/tree/cache.ts', [
    'a node is found beyond its end',
    'return node && isIn(node, at) ? node : undefined;',
    'return node;',
    CACHE,
  ]),
  ...of(
    'users/fold/split.ts',
    ['a segment is split by an index that is late', ' || !isEqual(sumOf(key, parts), row)', '', SPLIT],
    ['a segment is split while a batch is under way', 'head.batch.length > 0 || node', 'node', SPLIT],
    ['a segment with a later batch is split', 'node.epoch > head.epoch', 'node.epoch < 0', SPLIT],
    ['users of the journal are split off', '...users.filter(({ id }) => !oldest.has(id))', '...users', SPLIT],
    [
      'a sum begins within a node',
      'from, rows, users] = [node.from, [], 0];',
      "from, rows, users] = [node.rows[0]?.key ?? '', [], 0];",
      SPLIT,
    ],
    [
      'a bound is short by one character too many',
      'above.slice(0, shared) + String.fromCodePoint(above.codePointAt(shared) ?? 0)',
      'above.slice(0, shared)',
      SPLIT,
    ],
    [
      'a bound need not be between its neighbours',
      'return isBetween ? separator : above.slice(0, endOfText + 1);',
      'return separator;',
      SPLIT,
    ],
    [
      'a bound within a run does not tell the run',
      'if (shared > endOfText) return above.slice(0, shared + 1);',
      '',
      SPLIT,
    ],
    ['a bound may begin a key together with NUL', '?? 0) + END_OF_TEXT;', '?? 0);', SPLIT],
  ),
  ...of(
    'users/statistics/segments.ts',
    ['the checksum lacks the values', 'hash48([key, ...buckets].join(SEPARATOR))', 'hash48(key)', SEGMENTS],
    ['a row lists any number of values', 'if (listed.length <= MOST_VALUES) continue;', 'continue;', SEGMENTS],
    [
      'a value that is not listed has nobody',
      'const others = numbers.includes(undefined) ?',
      'const others = false ?',
      SEGMENTS,
    ],
    ['others are added to a listed value', 'isOther ? othersOf(field) : bucket', 'bucket', SEGMENTS],
    [
      'a sum lists what one of its rows hides',
      'addTo(counts, isSure ? bucket : othersOf(field), n);',
      'addTo(counts, bucket, n);',
      SEGMENTS,
    ],
    ['what stays as it was is written', 'return isSame ? [] :', 'return false ? [] :', SEGMENTS],
  ),
  ...of(
    'users/statistics/names.ts',
    [
      'a name that has the keyword twice counts twice',
      'name.indexOf(keyword) === key.length - end - 1 ?',
      'true ?',
      NAMES,
    ],
    ['a pair of surrogates is cut', 'at += character.length;', 'at += 1;', NAMES],
  ),
  ...of('users/statistics/totals.ts', [
    'a total is that of another value',
    "prefixOf(totals, values) + exactText(values[totals.field] ?? '')",
    "exactText(values[totals.field] ?? '')",
    TOTALS,
  ]),
  ...of(
    'users/rebuild/verify.ts',
    ['a batch of an earlier format stays', 'if (repair) await endEarlierBatch(database);', '', UPGRADE],
    ['a repair has the tag of before', 'addModulo(head.tag, hash48(`generation ${generation}`))', 'head.tag', VERIFY],
    ['what is right is built again', 'always || (repair && isWrong)', 'always || repair', VERIFY],
    ['a map that lacks a node ends a verification', 'if (error instanceof MapTorn) return undefined;', '', VERIFY],
  ),
  ...of(
    'users/rebuild/sweep.ts',
    ['statistics that are replaced are deleted at once', 'await database.runtime.sleep(keepOldMs);', '', UPGRADE],
    ['statistics of earlier formats stay', 'EARLIER_MAPS.test(String(pk))', 'false', UPGRADE],
    ['the present statistics are swept', 'own !== generation)', 'own === generation)', UPGRADE],
  ),
  ...of('users/rebuild/build.ts', [
    'a row is cut in the order in which users came',
    'counts: sorted(counts) }',
    'counts }',
    BUILD,
  ]),
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
  ...of(
    'dynamodb/itemCommands.ts',
    ['half a response is believed', '!isWhole(commandName, args.input, result.output)', 'false', ATTEMPTS],
    [
      'a batch with answers for some statements is believed',
      'output.Responses.length === input.Statements.length',
      'true',
      STATEMENTS,
    ],
    ['the costs of statements are not counted', 'BatchExecuteStatement|', '', STATEMENTS],
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
  ...of(
    'dynamodb/statements.ts',
    ['a refused statement has written', 'written[place] = meanings[i] === true', 'written[place] = true', STATEMENTS],
    [
      'statements are tried again with the others',
      'left = left.filter((_, i) => isAgain(meanings[i]));',
      'left = meanings.some(isAgain) ? left : [];',
      STATEMENTS,
    ],
    [
      'a throttled statement is forgotten',
      'left = left.filter((_, i) => isAgain(meanings[i]));',
      'left = [];',
      STATEMENTS,
    ],
    [
      'an unknown error of a statement is a refusal',
      'if (meaning === undefined) throw',
      'if (meaning === undefined) return false;\n  if (meaning === undefined) throw',
      STATEMENTS,
    ],
    [
      'throttled statements are tried at once',
      'if (tries > 0) await sleepWithin',
      'if (tries < 0) await sleepWithin',
      STATEMENTS,
    ],
    ['statements are tried for ever', 'if (tries === MAX_TRIES) throw', 'if (tries < 0) throw', STATEMENTS],
  ),
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
    ['a page may have any size', 'return Math.min(size, most)', 'return size', PARAMETERS, HANDLERS],
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
    'users/changes/feed.ts',
    ['a gap is passed over', 'if (next && !follows(next, part)) throw isGone();', '', FEED],
    ['nothing left is no gap', 'if (next.epoch < end.epoch) throw isGone();', '', FEED],
    ['a batch under way is taken for kept', 'batch.length > 0 ? batchBefore : lastBatch', 'lastBatch', FEED, RACES],
    ['a part of a batch counts as the whole', 'place === part.of', 'true', FEED],
    ['expired parts are shown', 'if (!isExpired(runtime.now(), item)) yield', 'yield', FEED],
    ['another feed is followed', "(token.feed !== '' && token.feed !== head.feed) ||", '', FEED],
    ['only the day of the token is read', 'return [...days, last];', 'return [dayOf(moment)];', FEED],
  ),
  ...of(
    'users/changes/history.ts',
    [
      'the journal is read last',
      'const entries = await readEntriesOf(database, id);\n  const changes',
      'const entries: WrittenChange[] = [];\n  const changes',
      HISTORY,
    ],
    ['what is not folded yet is not erased', 'new Map(entries.map(', 'new Map([].map(', HISTORY],
    ['what was erased is shown from the journal', 'else changes.delete(version);', '', HISTORY],
  ),
  ...of(
    'users/listing/skip.ts',
    ['users of other texts are skipped', 'if (textOf(first) !== text) return undefined;', '', SKIP],
    [
      'the range is skipped, too',
      'isBefore ? text + ids.from :',
      'isBefore ? rangeOfText(text.slice(0, -1)).to :',
      SKIP,
    ],
    [
      'descending, the texts before are skipped',
      'isAfter ? text + ids.to : text }',
      'isAfter ? text + ids.to : text.slice(0, 1) }',
      SKIP,
    ],
  ),
  ...of(
    'users/life.ts',
    ['a life begins with any version', 'Math.max(millisecondsOf(runtime.now()), least)', 'Math.max(1, least)', LIFE],
    ['a life that was refused is tried with the same version', '+ LEAP;', '+ 0;', LIFE],
  ),
  ...of(
    'users/store.ts',
    ['a life is not guarded', '[change], [lifeItem(database, id, version)]', '[change], []', LIFE],
    ['an id of the future is taken', 'if (!canBeGivenBy(id, runtime.now())) throw', 'if (id < 1) throw', LIFE],
  ),
  ...of('users/journal/order.ts', [
    'changes of a user come by the clocks of their writers',
    'Math.max(entry.at, latest.get(entry.id) ?? entry.at)',
    'entry.at',
    'tests/unit/users/journal/order.test.ts',
  ]),
  ...of('users/fold/fold.ts', [
    'changes are kept after their entries have left',
    'if (historyDays > 0) await keepChanges',
    'if (isPast && historyDays > 0) await keepChanges',
    FEED,
  ]),
  ...of(
    'auth/policy.ts',
    ['each scope allows all', 'route.scopes.every((scope) => scopes.has(scope))', 'true', POLICY],
    ['one of several scopes is enough', 'route.scopes.every(', 'route.scopes.some(', POLICY],
    ['what a pattern covers is not denied', 'covers(pattern, other)', 'pattern === other', POLICY],
    ['a policy is for one request', "methodArn.split('/', 2).join('/')", 'methodArn', POLICY],
    ['a caller without scopes is refused nothing', "Effect: 'Deny' as const", "Effect: 'Allow' as const", POLICY],
  ),
  ...of(
    'users/changes/sender.ts',
    [
      'a page that the sink refused is passed over',
      '&& !(await sendPage(until, page, tell))',
      '&& ((await sendPage(until, page, tell)), false)',
      SENDER,
    ],
    ['a token that is gone is not told', 'if (page.gap) tell(page.gap);', '', SENDER],
    ['a page may take longer than its lease', 'until - LEASE_END_MS', 'until + LEASE_MS', SENDER],
    ['an old token is never moved', ' || runtime.now() - movedAt >= MOVE_MS', '', SENDER],
  ),
  ...of(
    'users/changes/cursor.ts',
    ['a lease never ends', ' OR leasedUntil < :now', '', SENDER],
    ['a lease keeps nobody away', 'attribute_not_exists(#lease) OR ', 'attribute_not_exists(nothing) OR ', SENDER],
    [
      'a late write moves the token back',
      '#lease = :lease AND (${condition} OR #next = :next)',
      '#lease = :lease',
      SENDER,
    ],
    ['a write of the token cannot be repeated', ' OR #next = :next)', ')', SENDER],
  ),
  ...of(
    'events/entries.ts',
    ['a call has two changes of a user', ' || users.has(change.id)', '', ENTRIES],
    ['a call is too large', ' || bytes + size > MAX_BYTES', '', ENTRIES],
  ),
  ...of(
    'events/eventBridge.ts',
    ['events that were accepted are sent again', 'await put(left)', 'await put(entries)', ENTRIES],
    ['events that were refused are lost', 'left.length > 0', 'left.length > 9', ENTRIES],
  ),
];
