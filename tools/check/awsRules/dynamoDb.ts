import { isDeepStrictEqual } from 'node:util';
import { madeBefore } from './references.ts';
import { AWS, alter, at, each, eachChange, ISSUES, listAt, ofType, type Rule, TEMPLATES, textAt } from './rule.ts';

const GUIDE = `${AWS}/amazondynamodb/latest/developerguide`;

const index = (IndexName: string, ...NonKeyAttributes: string[]) => ({
  IndexName,
  KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes },
});

/** The keys and attributes of each index, by its name. */
const indexesOf = (table: object) =>
  new Map(
    listAt(table, 'GlobalSecondaryIndexes').map((each) => [
      textAt(each, 'IndexName'),
      [at(each, 'KeySchema'), at(each, 'Projection')],
    ]),
  );

export const DYNAMODB_RULES: Rule[] = [
  {
    says: 'All indexes of a table together name at most 100 attributes besides keys',
    source: `${GUIDE}/ServiceQuotas.html`,
    offenders: each('DynamoDB::Table', (table) => {
      const indexes = listAt(table, 'GlobalSecondaryIndexes');
      return indexes.flatMap((each) => listAt(each, 'Projection', 'NonKeyAttributes')).length > 100;
    }),
    breaks: alter('DynamoDB::Table', {
      GlobalSecondaryIndexes: Array.from({ length: 11 }, (_, i) => index(`byName${i}`, ...'abcdefghij')),
    }),
  },
  {
    says: 'Tables with indexes are made one after another',
    source: `${TEMPLATES}/aws-resource-dynamodb-table.html`,
    offenders: (resources) => {
      const tables = ofType(resources, 'DynamoDB::Table').filter(
        ([, { Properties }]) => indexesOf(Properties).size > 0,
      );
      return tables.flatMap(([id], i) =>
        tables.slice(0, i).every(([other]) => madeBefore(resources, id).has(other)) ? [] : id,
      );
    },
    breaks: alter('DynamoDB::Table', { GlobalSecondaryIndexes: [index('byName')] }),
  },
  {
    says: 'A table that is protected from deletion is not deleted with its stack, which would fail',
    source: `${GUIDE}/WorkingWithTables.Basics.html`,
    offenders: (resources) =>
      ofType(resources, 'DynamoDB::Table').flatMap(([id, { DeletionPolicy = 'Delete', Properties }]) =>
        Properties.DeletionProtectionEnabled && DeletionPolicy === 'Delete' ? id : [],
      ),
    breaks: alter('DynamoDB::Table', { DeletionProtectionEnabled: true }, { DeletionPolicy: 'Delete' }),
  },
  {
    says: 'A deployment makes or deletes one index of a table',
    source: `${TEMPLATES}/aws-resource-dynamodb-table.html`,
    offenders: eachChange('DynamoDB::Table', (after, before) => {
      const names = [indexesOf(after), indexesOf(before)].flatMap((indexes) => [...indexes.keys()]);
      return names.filter((name) => indexesOf(after).has(name) !== indexesOf(before).has(name)).length > 1;
    }),
    breaks: alter('DynamoDB::Table', { GlobalSecondaryIndexes: [index('byName'), index('byAge')] }),
  },
  {
    says: 'Keys and attributes of an index do not change',
    source: `${TEMPLATES}/aws-properties-dynamodb-table-globalsecondaryindex.html`,
    offenders: eachChange('DynamoDB::Table', (after, before) => {
      const there = indexesOf(before);
      return [...indexesOf(after)].some(
        ([name, wanted]) => there.has(name) && !isDeepStrictEqual(there.get(name), wanted),
      );
    }),
    breaks: ({ UsersTable }) => {
      Object.assign(UsersTable?.Properties ?? {}, { GlobalSecondaryIndexes: [index('byName', 'other')] });
    },
  },
  {
    says: 'The attribute by which items expire does not change while it is in use',
    source: `${TEMPLATES}/aws-properties-dynamodb-table-timetolivespecification.html`,
    offenders: eachChange('DynamoDB::Table', (after, before) => {
      const both = [after, before].map((table) => at(table, 'TimeToLiveSpecification'));
      return both.every((each) => at(each, 'Enabled')) && !isDeepStrictEqual(both[0], both[1]);
    }),
    breaks: alter('DynamoDB::Table', { TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } }),
  },
  {
    says: 'What a stream has of each item does not change while there is a stream',
    source: `${ISSUES}/hashicorp/terraform-provider-aws/issues/18402`,
    offenders: eachChange('DynamoDB::Table', (after, before) => {
      const both = [after, before].map((table) => textAt(table, 'StreamSpecification', 'StreamViewType'));
      return both.every((type) => type !== '') && both[0] !== both[1];
    }),
    breaks: ({ UsersTable }) => {
      Object.assign(UsersTable?.Properties ?? {}, { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } });
    },
  },
];
