/** Rules of AWS that neither cfn-lint nor the stand-in for AWS knows, each with its source. */
import type { Resources } from '../../deploy/resource.ts';
import { API_GATEWAY_RULES } from './apiGateway.ts';
import { FUNCTION_RULES } from './functions.ts';
import { NAME_RULES } from './names.ts';
import { QUOTA_RULES } from './quotas.ts';

export const RULES = [...API_GATEWAY_RULES, ...FUNCTION_RULES, ...QUOTA_RULES, ...NAME_RULES];

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
