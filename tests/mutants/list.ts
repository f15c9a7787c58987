/** A deliberate breakage that no tool would make: it removes a condition of a protocol. At least one of the tests must fail. */
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
const NODES = 'tests/unit/users/tree/nodes.test.ts';
const WRITE = 'tests/unit/users/tree/write.test.ts';
const HOLD = 'tests/unit/users/rebuild/verify.test.ts';
const SENDER = 'tests/unit/events/sender.test.ts';
const HEAD = 'tests/unit/users/journal/head.test.ts';
const RACES = 'tests/property/races.test.ts';
const INTERLEAVINGS = 'tests/property/interleavings.test.ts';
const STORE = 'tests/unit/users/store.test.ts';
const VERIFY = 'tests/tools/verify.test.ts';
const TRANSACT = 'tests/unit/dynamodb/transact.test.ts';
const ONE_STATE = 'tests/unit/users/listing/oneState.test.ts';
const FEED = 'tests/unit/users/changes/feed.test.ts';
const HISTORY = 'tests/unit/users/changes/history.test.ts';

type Line = readonly [name: string, text: string, replacement: string, ...tests: string[]];

const of = (file: string, ...lines: readonly Line[]): Mutant[] =>
  lines.map(([name, text, replacement, ...tests]) => ({ name, file: `lib/${file}`, text, replacement, tests }));

export const MUTANTS: readonly Mutant[] = [
  ...of(
    'users/write.ts',
    [
      'a user is replaced, whatever its version is',
      "ConditionExpression: 'v = :version',",
      "ConditionExpression: ':version = :version',",
      STORE,
    ],
    [
      'a create overwrites the user who has the id',
      'attribute_not_exists(${key})',
      'attribute_exists(${key}) OR attribute_not_exists(${key})',
      STORE,
    ],
  ),
  ...of('users/store.ts', [
    'a write has no entry in the journal',
    '[...changeItems(database, change), ...more]',
    '[...changeItems(database, change).slice(0, 1), ...more]',
    FOLD,
  ]),
  ...of(
    'users/journal/head.ts',
    ['two folds claim the same epoch', 'format AND #epoch = :read AND', 'format AND :read = :read AND', HEAD],
    [
      'a fold claims a batch while it is held',
      '(attribute_not_exists(#heldUntil) OR #heldUntil < :now OR #heldUntil > :longest)',
      '(:now <= :longest)',
      HEAD,
    ],
    [
      'a fold ends the batch of another epoch',
      "'#epoch = :read AND attribute_exists(#batch)'",
      "':read = :read AND attribute_exists(#batch)'",
      HEAD,
    ],
    ['the generation of a rebuild that is under way is deleted', 'Number.parseInt(own, 10) <= epoch', 'true', HEAD],
    ['a repair that was frozen switches generations', ' AND #heldUntil > :now', '', HOLD],
  ),
  ...of(
    'users/listing/oneState.ts',
    ['the journal is read before the lists', 'if (isLarge || isLate) {', 'if (true) {', ONE_STATE, RACES],
    [
      'an answer that was only guessed is returned',
      'found && isSame(journal, found.view.journal)',
      'found',
      ONE_STATE,
      RACES,
    ],
    ['an answer that is read after the journal is not checked', 'found && replay.asked === 0', 'found', ONE_STATE],
  ),
  ...of(
    'users/fold/fold.ts',
    [
      'a batch with deleted entries is folded again',
      'const isPast = batch.length < head.batch.length;',
      'const isPast = false;',
      FOLD,
    ],
    ['newest versions are folded first', 'oldestFirst(entries)', 'entries', FOLD],
    ['entries leave before indexes have caught up', 'seen + minimumAgeMs', '0', FOLD, RACES],
    ['entries leave right after the last node', 'written + writtenToDeleteMs', '0', FOLD, RACES],
    ['a batch is never ended', 'await release(database, head.epoch);', '', FOLD],
    [
      'changes are kept after their entries have left',
      'if (days > 0) await keepChanges',
      'if (isPast && days > 0) await keepChanges',
      FEED,
    ],
  ),
  ...of(
    'users/journal/journal.ts',
    [
      'a batch that has ended still counts',
      'const isPast = batch.length < head.batch.length;',
      'const isPast = false;',
      HEAD,
    ],
    ['a page newer than the journal is taken', 'if (epoch > head.epoch) throw new JournalMoved();', '', HEAD, RACES],
    [
      'a journal of two pages is not checked',
      'if (pages > 1 && (await readHead(database)).epoch !== head.epoch) throw new JournalMoved();',
      '',
      HEAD,
    ],
    [
      'the tag counts the batch twice',
      'tag: toHex(tagOf(head.tag, fresh))',
      'tag: toHex(tagOf(head.tag, entries))',
      HEAD,
    ],
  ),
  ...of(
    'users/rebuild/check.ts',
    ['what is left of a map does not matter', 'counts.size === 0', 'counts.size >= 0', VERIFY],
    ['a map with a missing node is right', 'MapTorn) return false', 'MapTorn) return true', VERIFY],
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
    ['a transaction has no token', 'ClientRequestToken: randomUUID() }', "ClientRequestToken: '' }", TRANSACT],
    [
      'each try has a new token',
      'await dynamo.send(new TransactWriteCommand(request));',
      'await dynamo.send(new TransactWriteCommand({ ...request, ClientRequestToken: randomUUID() }));',
      TRANSACT,
    ],
  ),
  ...of('users/read.ts', [
    'a read of a user may be stale',
    'Key: { id }, ConsistentRead: true',
    'Key: { id }',
    STORE,
    INTERLEAVINGS,
  ]),
  ...of(
    'users/tree/nodes.ts',
    ['a writer trusts a weak read', 'return isPlausible ? nodes :', 'return floor ? nodes :', NODES],
    ['nodes are read without strong consistency', ', below }), ConsistentRead: true }', ', below }) }', NODES, RACES],
  ),
  ...of(
    'users/tree/write.ts',
    [
      'a node that was split in the meantime is overwritten',
      "{ ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': read.revision } }",
      '{}',
      WRITE,
    ],
    [
      'a node is split in the same transaction in which its rows are replaced',
      'await write(tree, [[{ node, read }]]);',
      'await write(tree, [writesOf(tree, read, rows, read)]);',
      WRITE,
    ],
  ),
  ...of(
    'users/tree/add.ts',
    [
      'more is added to a node than one transaction takes',
      'bytes < MOST_ADDED_BYTES',
      'bytes < Number.MAX_VALUE',
      WRITE,
    ],
    ['a node of a later epoch is written again', 'node.epoch < epoch', 'node.epoch !== epoch', WRITE],
  ),
  ...of(
    'users/fold/split.ts',
    ['a segment is split by what a late index says', '!isEqual(sumOf(parts), row)', 'false', SPLIT],
    [
      'a segment is split while another batch is under way',
      'items.head.batch.length > 0 && items.head.epoch !== epoch',
      'false',
      SPLIT,
    ],
    [
      'users of the journal are counted when a segment is split',
      '...users.filter(({ id }) => !oldest.has(id))',
      '...users',
      SPLIT,
    ],
  ),
  ...of('deadline.ts', [
    'work goes on after its function has ended',
    'deadline.at = Number.NEGATIVE_INFINITY;',
    '',
    'tests/unit/deadline.test.ts',
  ]),
  ...of('users/changes/feed.ts', [
    'a batch counts as kept while it is under way',
    'batch.length > 0 ? batchBefore : lastBatch',
    'lastBatch',
    FEED,
    RACES,
  ]),
  ...of('users/changes/history.ts', [
    'a history reads the journal last',
    '(await readEntriesOf(database, id)).filter(({ version }) => version < below)',
    '[] as WrittenChange[]',
    HISTORY,
  ]),
  ...of('events/cursor.ts', [
    'a late write moves the token back',
    '#lease = :lease AND (${condition} OR #next = :next)',
    '#lease = :lease',
    SENDER,
  ]),
];
