import { madeBefore } from './references.ts';
import { AWS, alter, each, listAt, ofType, type Rule, TEMPLATES } from './rule.ts';

const GUIDE = `${AWS}/amazondynamodb/latest/developerguide`;

const index = (IndexName: string, ...NonKeyAttributes: string[]) => ({
  IndexName,
  KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes },
});

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
        ([, table]) => 'GlobalSecondaryIndexes' in table.Properties,
      );
      return tables.flatMap(([id], i) =>
        tables.slice(0, i).every(([other]) => madeBefore(resources, id).has(other)) ? [] : id,
      );
    },
    breaks: alter('DynamoDB::Table', { GlobalSecondaryIndexes: [index('byName')] }),
  },
];
