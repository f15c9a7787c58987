import { ofType } from '../../deploy/resource.ts';
import { madeBefore } from './references.ts';
import { AWS, add, alter, at, each, listAt, type Rule, TEMPLATES, tooMany } from './rule.ts';

const CLOUDWATCH = `${AWS}/AmazonCloudWatch/latest`;
const IAM = `${AWS}/IAM/latest/UserGuide/reference_iam-quotas.html`;

/** The length of a document as IAM counts it, without white space. Functions of a template are longer than their values. */
const lengthOf = (document: unknown): number => JSON.stringify(document ?? '').length;

export const QUOTA_RULES: Rule[] = [
  {
    says: 'Tables with indexes are made one after another',
    source: `${TEMPLATES}/aws-resource-dynamodb-table.html`,
    offenders: (resources) => {
      const all = ofType(resources, 'DynamoDB::Table');
      const tables = all.filter(([, { Properties }]) => 'GlobalSecondaryIndexes' in Properties);
      return tables.flatMap(([id], i) =>
        tables.slice(0, i).every(([other]) => madeBefore(resources, id).has(other)) ? [] : id,
      );
    },
    breaks: alter('DynamoDB::Table', { GlobalSecondaryIndexes: [] }),
  },
  {
    says: 'At most two functions read one stream',
    source: `${AWS}/amazondynamodb/latest/developerguide/Streams.html`,
    offenders: (resources) => {
      const mappings = ofType(resources, 'Lambda::EventSourceMapping');
      const streams = mappings.map(([id, { Properties }]): [string, unknown] => [id, Properties.EventSourceArn]);
      return tooMany(streams, 2);
    },
    breaks: add('Lambda::EventSourceMapping', { EventSourceArn: { 'Fn::GetAtt': ['UsersTable', 'StreamArn'] } }),
  },
  {
    says: 'An alarm computes with at most ten metrics',
    source: `${CLOUDWATCH}/monitoring/alarm-limits.html`,
    offenders: each(
      'CloudWatch::Alarm',
      ({ Metrics }) => listAt(Metrics).filter((one) => at(one, 'MetricStat')).length > 10,
    ),
    breaks: alter('CloudWatch::Alarm', { Metrics: Array(11).fill({ MetricStat: {} }) }),
  },
  {
    says: 'An alarm watches exactly one of its values',
    source: `${CLOUDWATCH}/APIReference/API_MetricDataQuery.html`,
    offenders: each('CloudWatch::Alarm', ({ Metrics }) => {
      const watched = listAt(Metrics).filter((each) => at(each, 'ReturnData') !== false);
      return Metrics !== undefined && watched.length !== 1;
    }),
    breaks: alter('CloudWatch::Alarm', { Metrics: [{}, {}] }),
  },
  {
    says: 'The policies in a role have at most 10,240 characters',
    source: IAM,
    offenders: each('IAM::Role', ({ Policies }) => {
      const documents = listAt(Policies).map((policy) => at(policy, 'PolicyDocument'));
      return lengthOf(documents) > 10_240;
    }),
    breaks: alter('IAM::Role', { Policies: Array(2).fill({ PolicyDocument: 'x'.repeat(6_000) }) }),
  },
  {
    says: 'A managed policy has at most 6,144 characters',
    source: IAM,
    offenders: each('IAM::ManagedPolicy', ({ PolicyDocument }) => lengthOf(PolicyDocument) > 6_144),
    breaks: add('IAM::ManagedPolicy', { PolicyDocument: 'x'.repeat(6_200) }),
  },
];
