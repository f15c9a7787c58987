import { describe, expect, test } from 'vitest';
import { mapDomain, refusalOfDomain } from '../../../../lib/tooling/deploy/domain.ts';
import type { Resource } from '../../../../lib/tooling/deploy/resource.ts';
import { DOMAIN } from '../../../support/deployRole.ts';

describe('the domain of a stage', () => {
  test.each(['', DOMAIN, 'a.io', 'users-1.example.co.uk', 'xn--bcher-kva.example', `${'a'.repeat(63)}.example`])(
    'may be %j',
    (domain) => {
      expect(refusalOfDomain(domain)).toBeUndefined();
    },
  );

  test.each([
    'example',
    'Users.example.com',
    'users.example.com.',
    'https://users.example.com',
    'users.example.com/v1',
    '*.example.com',
    '-users.example.com',
    'users..example.com',
    ' users.example.com',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}example`,
    '10.0.0.1',
  ])('must not be %j', (domain) => {
    expect(refusalOfDomain(domain)).toBe(
      `DOMAIN_NAME must be the name of a domain in small letters, such as users.example.com, or be empty. It is ${domain}.`,
    );
  });

  const compiled = (): Record<string, Resource> => ({
    ApiGatewayRestApi: { Type: 'AWS::ApiGateway::RestApi', Properties: {} },
    ApiGatewayDeployment17: { Type: 'AWS::ApiGateway::Deployment', Properties: {} },
  });

  test('serves it at the root, after the API is deployed', () => {
    const template = compiled();
    mapDomain(template, DOMAIN, 'prod');
    expect(template).toEqual({
      ...compiled(),
      DomainMapping: {
        Type: 'AWS::ApiGateway::BasePathMapping',
        DependsOn: ['ApiGatewayDeployment17'],
        Properties: { DomainName: DOMAIN, RestApiId: { Ref: 'ApiGatewayRestApi' }, Stage: 'prod' },
      },
    });
  });

  test('changes nothing if there is none', () => {
    const template = compiled();
    mapDomain(template, '', 'prod');
    expect(template).toEqual(compiled());
  });
});
