/** A question that the service asks DynamoDB. The docblock of the function that asks it cites the id. */
export interface AccessPattern {
  id: string;
  question: string;
  /** A table, or indexes of the Users table. */
  reads: 'Users' | 'Directory' | 'any index' | readonly string[];
  condition: string;
  /** The function in lib/users that asks. */
  function: string;
}

/** Everything that lib/users reads. A test compares the ids, the functions and the indexes with the sources. */
export const ACCESS_PATTERNS: readonly AccessPattern[] = [
  { id: 'D1', question: 'one user by id', reads: 'Users', condition: 'id = :id', function: 'readUser' },
  {
    id: 'D2',
    question: 'the head of the journal and all entries',
    reads: 'Directory',
    condition: "pk = 'journal'",
    function: 'readItems',
  },
  {
    id: 'D3',
    question: 'the node of a map that covers a position',
    reads: 'Directory',
    condition: 'pk = :map AND sk <= :position, backwards, one item',
    function: 'readFloor',
  },
  {
    id: 'D4',
    question: 'the nodes of a map that cover a stretch of keys',
    reads: 'Directory',
    condition: 'D3, then pk = :map AND sk BETWEEN :from AND :to',
    function: 'readNodes',
  },
  {
    id: 'D5',
    question: 'the user that an Idempotency-Key has created',
    reads: 'Directory',
    condition: "pk = 'idempotency:' + key AND sk = '-'",
    function: 'readRecord',
  },
  {
    id: 'D6',
    question: 'every user, to recount them',
    reads: 'Users',
    condition: 'none: a Scan',
    function: 'readFoldedUsers',
  },
  {
    id: 'D7',
    question: 'all nodes of statistics, to delete those that are no longer read',
    reads: 'Directory',
    condition: 'none: a Scan',
    function: 'sweep',
  },
  {
    id: 'D8',
    question: 'every user, to add the keys of a new index',
    reads: 'Users',
    condition: 'none: a Scan',
    function: 'fillKeys',
  },
  {
    id: 'D9',
    question: 'the users with the lowest ids, while there is no head of the journal',
    reads: 'any index',
    condition: "k = 'user' in byId",
    function: 'oldestUsers',
  },
  {
    id: 'D10',
    question: 'the names of the maps of last names, to compare them',
    reads: 'Directory',
    condition: 'none: a Scan',
    function: 'storedMaps',
  },
  {
    id: 'D11',
    question: 'the nodes of a map of recent names that was merged, to delete them',
    reads: 'Directory',
    condition: 'pk = :map',
    function: 'deleteMap',
  },
  {
    id: 'D12',
    question: 'which changes the batches of a day had, from a place on',
    reads: 'Directory',
    condition: "pk = 'changes:' + feed + ':' + day AND sk >= :place",
    function: 'readParts',
  },
  {
    id: 'D13',
    question: 'some changes, of any users',
    reads: 'Directory',
    condition: "pk = 'history:' + id AND sk = :version, up to a hundred a call",
    function: 'withUsers',
  },
  {
    id: 'D14',
    question: 'the changes of a user, newest first',
    reads: 'Directory',
    condition: "pk = 'history:' + id AND sk <= :version, backwards",
    function: 'readItemsOf',
  },
  {
    id: 'D15',
    question: 'the entries of a user in the journal',
    reads: 'Directory',
    condition: "pk = 'journal' AND sk BETWEEN :newest AND :oldest",
    function: 'readEntriesOf',
  },
  {
    id: 'D16',
    question: 'all that is kept of changes, to delete what restored users lack',
    reads: 'Directory',
    condition: 'none: a Scan',
    function: 'forgetLaterChanges',
  },
  {
    id: 'D17',
    question: 'all that is kept of changes, to compare it with the users',
    reads: 'Directory',
    condition: 'none: a Scan',
    function: 'compareChanges',
  },
  {
    id: 'D18',
    question: 'the version with which the last life of an id began',
    reads: 'Directory',
    condition: "pk = 'life:' + id AND sk = '-'",
    function: 'readNextLife',
  },
  {
    id: 'D19',
    question: 'where the sender of events has come to',
    reads: 'Directory',
    condition: "pk = 'events'",
    function: 'readCursor',
  },
  {
    id: 'L1',
    question: 'all users, or those with one text, by id or in the order of a field, from a key',
    reads: ['byId', 'byName', 'byEmail', 'byAge', 'byFirstName', 'byLastName', 'byStatus', 'byCountry'],
    condition: "k = 'user' [AND key >= :low] [AND key <= :high], either way",
    function: 'pages',
  },
  {
    id: 'L2',
    question: 'the same, of one country',
    reads: [
      'byCountryAndName',
      'byCountryAndEmail',
      'byCountryAndAge',
      'byCountryAndFirstName',
      'byCountryAndLastName',
      'byCountryAndStatus',
    ],
    condition: 'cPart = :country [AND key >= :low] [AND key <= :high], either way',
    function: 'pages',
  },
  {
    id: 'L3',
    question: 'the users in a range of a list, to cut it into segments',
    reads: 'any index',
    condition: 'partition = :value AND key BETWEEN :from AND :to',
    function: 'readUsers',
  },
];
