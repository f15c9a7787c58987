/** What AWS refuses, and neither cfn-lint nor the stand-in for AWS knows: docs/deployment.md says what is known in this way. */
import { API_GATEWAY_RULES } from './apiGateway.ts';
import { DYNAMODB_RULES } from './dynamoDb.ts';
import { EVENT_RULES } from './events.ts';
import { IAM_RULES } from './iam.ts';
import { LAMBDA_RULES } from './lambda.ts';
import { MONITORING_RULES } from './monitoring.ts';
import { NAME_RULES } from './names.ts';
import type { Resources, Rule } from './rule.ts';

export const RULES: readonly Rule[] = [
  ...API_GATEWAY_RULES,
  ...LAMBDA_RULES,
  ...DYNAMODB_RULES,
  ...MONITORING_RULES,
  ...EVENT_RULES,
  ...IAM_RULES,
  ...NAME_RULES,
];

/**
 * Why AWS would refuse a template: a sentence for each rule that it breaks.
 *
 * @param before the resources that are deployed
 */
export const refusalsOf = (resources: Resources, before: Resources = {}): string[] =>
  RULES.flatMap(({ says, source, offenders }) => {
    const ids = offenders(resources, before);
    return ids.length > 0 ? [`${says}: ${ids.join(', ')} (${source})`] : [];
  });
