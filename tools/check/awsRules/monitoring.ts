import { AWS, alter, at, each, listAt, type Rule } from './rule.ts';

const GUIDE = `${AWS}/AmazonCloudWatch/latest/monitoring`;
const API = `${AWS}/AmazonCloudWatch/latest/APIReference`;

const metrics = (length: number, more: object = {}) =>
  Array.from({ length }, (_, i) => ({
    Id: `m${i}`,
    ReturnData: i === 0,
    MetricStat: { Period: 300, Stat: 'Sum' },
    ...more,
  }));

export const MONITORING_RULES: Rule[] = [
  {
    says: 'An alarm computes with at most ten metrics',
    source: `${GUIDE}/alarm-limits.html`,
    offenders: each(
      'CloudWatch::Alarm',
      ({ Metrics }) => listAt(Metrics).filter((one) => at(one, 'MetricStat')).length > 10,
    ),
    breaks: alter('CloudWatch::Alarm', { Metrics: metrics(11) }),
  },
  {
    says: 'An alarm watches exactly one of its values',
    source: `${API}/API_MetricDataQuery.html`,
    offenders: each('CloudWatch::Alarm', ({ Metrics }) => {
      const watched = listAt(Metrics).filter((each) => at(each, 'ReturnData') !== false);
      return Metrics !== undefined && watched.length !== 1;
    }),
    breaks: alter('CloudWatch::Alarm', { Metrics: metrics(2, { ReturnData: true }) }),
  },
];
