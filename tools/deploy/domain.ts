/**
 * Serves a stage at the root of a domain, the stage parameter `domain`. The domain has a stack of its own (docs/domain.yml), so its
 * address stays when the stack of the stage goes and another one comes.
 */
import { API_STAGE } from './apiStage.ts';
import type { Resource } from './resource.ts';

const MAPPING = 'DomainMapping';

/** Labels of RFC 1123, section 2.1, two at least. Names are compared in small letters. */
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Why a stage cannot be served at a domain, in one sentence. Undefined if it can, or if there is none. */
export function refusalOfDomain(domain: string): string | undefined {
  if (domain === '' || DOMAIN.test(domain)) return undefined;
  return `DOMAIN_NAME must be the name of a domain in small letters, such as users.example.com, or be empty. It is ${domain}.`;
}

/** The mapping follows the stage, which API Gateway does not delete before it. */
export function mapDomain(compiled: Record<string, Resource>, domain: string): void {
  if (domain === '') return;
  compiled[MAPPING] = {
    Type: 'AWS::ApiGateway::BasePathMapping',
    Properties: { DomainName: domain, RestApiId: { Ref: 'ApiGatewayRestApi' }, Stage: { Ref: API_STAGE } },
  };
}
