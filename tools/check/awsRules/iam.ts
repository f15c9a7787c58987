import { AWS, add, alter, at, each, lengthOf, listAt, type Rule } from './rule.ts';

const QUOTAS = `${AWS}/IAM/latest/UserGuide/reference_iam-quotas.html`;

const long = (length: number) => ({ Statement: [{ Sid: 'x'.repeat(length) }] });

export const IAM_RULES: Rule[] = [
  {
    says: 'The policies in a role have at most 10,240 characters',
    source: QUOTAS,
    offenders: each('IAM::Role', ({ Policies }) => {
      const lengths = listAt(Policies).map((each) => lengthOf(at(each, 'PolicyDocument')));
      return lengths.reduce((sum, length) => sum + length, 0) > 10_240;
    }),
    breaks: alter('IAM::Role', { Policies: [{ PolicyDocument: long(6_000) }, { PolicyDocument: long(6_000) }] }),
  },
  {
    says: 'A managed policy has at most 6,144 characters',
    source: QUOTAS,
    offenders: each('IAM::ManagedPolicy', ({ PolicyDocument }) => lengthOf(PolicyDocument) > 6_144),
    breaks: add('IAM::ManagedPolicy', { PolicyDocument: long(6_200) }),
  },
];
