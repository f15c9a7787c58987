import { ofType } from '../../deploy/resource.ts';
import { isAfterOne, madeBefore, mayUse, referenced } from './references.ts';
import { AWS, add, alter, at, each, ISSUES, type Rule, TEMPLATES, textAt, tooMany } from './rule.ts';

const GUIDE = `${AWS}/apigateway/latest/developerguide`;

/** The types of resources that a snapshot of an API contains. */
const IN_SNAPSHOT = /::(Method|GatewayResponse)$/;

const HEADER_VALUE = /^('[^']*'|(method\.request|context|stageVariables)\.[\w.$-]+)$/;

const isStream = (method: unknown): boolean => textAt(method, 'Integration', 'ResponseTransferMode') === 'STREAM';

const below = (path: string) => ({ ParentId: { Ref: 'ApiGatewayResourceApiUsers' }, PathPart: path });

export const API_GATEWAY_RULES: Rule[] = [
  {
    says: 'A deployment of an API names and describes no stage: it is refused once the stage exists',
    source: `${ISSUES}/serverless/serverless/issues/1761`,
    offenders: each('ApiGateway::Deployment', ({ StageName, StageDescription }) => !!(StageName || StageDescription)),
    breaks: alter('ApiGateway::Deployment', { StageName: 'prod', StageDescription: { TracingEnabled: true } }),
  },
  {
    says: 'A deployment of an API is what a stage refers to: then a rollback points the stage back',
    source: `${ISSUES}/aws/aws-cdk/issues/14660`,
    offenders: each('ApiGateway::Deployment', (_, id, resources) =>
      ofType(resources, 'ApiGateway::Stage').every(([, { Properties }]) => at(Properties.DeploymentId, 'Ref') !== id),
    ),
    breaks: alter('ApiGateway::Stage', { DeploymentId: 'abc123' }),
  },
  {
    says: 'A deployment of an API is made after all methods and responses: it has only what is there',
    source: `${TEMPLATES}/aws-resource-apigateway-deployment.html`,
    offenders: each('ApiGateway::Deployment', (_, id, resources) => {
      const before = madeBefore(resources, id);
      return Object.entries(resources).some(([other, { Type }]) => IN_SNAPSHOT.test(Type) && !before.has(other));
    }),
    breaks: add('ApiGateway::GatewayResponse', { ResponseType: 'THROTTLED' }),
  },
  {
    says: 'A route does not go together with its function: CloudFormation deletes last, so the new deployment of the API still has it',
    source: `${ISSUES}/serverless/serverless/issues/1692`,
    offenders: (resources, before) =>
      ofType(before, 'ApiGateway::Method').flatMap(([id, { Properties }]) => {
        const called = referenced(before, at(Properties.Integration, 'Uri'), 'Lambda::Function') ?? id;
        return resources[id] || resources[called] ? [] : id;
      }),
    breaks: (resources) => {
      for (const id of Object.keys(resources)) {
        if (JSON.stringify(resources[id]).includes('GetUserLambdaFunction')) delete resources[id];
      }
      delete resources.GetUserLambdaFunction;
    },
  },
  {
    says: 'A domain is mapped after its stage is made, which is no valid identifier before, and cannot be deleted while it is mapped',
    source: `${ISSUES}/serverless/serverless/issues/4029`,
    offenders: each('ApiGateway::BasePathMapping', (_, id, resources) => !isAfterOne(resources, id, /::Stage$/)),
    breaks: alter('ApiGateway::BasePathMapping', { Stage: 'prod' }, { DependsOn: [] }),
  },
  {
    says: 'A part of a path has letters, digits and . _ - : , or is a variable as a whole',
    source: `${GUIDE}/api-gateway-known-issues.html`,
    offenders: each('ApiGateway::Resource', ({ PathPart }) => !/^([\w.:,-]+|\{[\w.-]+\+?\})$/.test(textAt(PathPart))),
    breaks: add('ApiGateway::Resource', below('{id}.png')),
  },
  {
    says: 'Only a stream may take longer than 29 seconds, and at most 15 minutes: for others the account needs a higher quota',
    source: `${GUIDE}/response-transfer-mode.html`,
    offenders: each('ApiGateway::Method', (method) => {
      const limit = isStream(method) ? 900_000 : 29_000;
      return Number(at(method, 'Integration', 'TimeoutInMillis') ?? 0) > limit;
    }),
    breaks: alter('ApiGateway::Method', { Integration: { Type: 'AWS_PROXY', TimeoutInMillis: 30_000 } }),
  },
  {
    says: 'A stream is served by a regional API: any other may end it after 30 seconds of silence',
    source: `${GUIDE}/response-transfer-mode.html`,
    offenders: each('ApiGateway::Method', (method, _, resources) => {
      const api = referenced(resources, method.RestApiId, 'ApiGateway::RestApi') ?? '';
      return isStream(method) && textAt(resources, api, 'Properties', 'EndpointConfiguration', 'Types') !== 'REGIONAL';
    }),
    breaks: alter('ApiGateway::RestApi', { EndpointConfiguration: { Types: ['EDGE'] } }),
  },
  {
    says: 'API Gateway may call a function, also as an authorizer, only if the policy of the function says so',
    source: `${GUIDE}/api-gateway-lambda-authorizer-lambda-function-create.html`,
    offenders: (resources) =>
      ['Method', 'Authorizer'].flatMap((type) =>
        each(`ApiGateway::${type}`, ({ AuthorizerUri, Integration }) => {
          const called = referenced(resources, AuthorizerUri ?? at(Integration, 'Uri'), 'Lambda::Function');
          return called !== undefined && !mayUse(resources, 'apigateway.amazonaws.com', called);
        })(resources, {}),
      ),
    breaks: alter('ApiGateway::Method', { Integration: { Uri: { Ref: 'FoldLambdaFunction' } } }),
  },
  {
    says: 'The ARN of an access log does not end with :*, as the attribute Arn of a log group does',
    source: `${AWS}/apigateway/latest/api/API_AccessLogSettings.html`,
    offenders: each('ApiGateway::Stage', ({ AccessLogSetting }) =>
      /"Fn::GetAtt"|\.Arn\}|:\*"/.test(JSON.stringify(at(AccessLogSetting, 'DestinationArn') ?? '')),
    ),
    breaks: alter('ApiGateway::Stage', {
      AccessLogSetting: { DestinationArn: { 'Fn::GetAtt': ['AccessLogGroup', 'Arn'] }, Format: '$context.requestId' },
    }),
  },
  {
    says: 'At most five responses of API Gateway are made at once: it throttles, and the deployment fails',
    source: `${ISSUES}/aws-cloudformation/cloudformation-coverage-roadmap/issues/1095`,
    offenders: (resources) => {
      const responses = ofType(resources, 'ApiGateway::GatewayResponse').map(([id]) => id);
      const before = (id: string) => [...madeBefore(resources, id)].filter((other) => responses.includes(other)).length;
      return tooMany(
        responses.map((id) => [id, before(id)]),
        5,
      );
    },
    breaks: (resources) => {
      for (const [, response] of ofType(resources, 'ApiGateway::GatewayResponse')) response.DependsOn = [];
    },
  },
  {
    says: 'Headers that API Gateway adds to its responses are constants in single quotes, or values of the request',
    source: `${AWS}/apigateway/latest/api/API_PutGatewayResponse.html`,
    offenders: each('ApiGateway::GatewayResponse', ({ ResponseParameters }) =>
      Object.values(ResponseParameters ?? {}).some((value) => !HEADER_VALUE.test(String(value))),
    ),
    breaks: alter('ApiGateway::GatewayResponse', {
      ResponseParameters: { 'gatewayresponse.header.Retry-After': '1' },
    }),
  },
  {
    // The page said so for years, and does not any more.
    says: 'The role for logs is set after something else of API Gateway is made: an account that had nothing yet refuses it',
    source: `${TEMPLATES}/aws-resource-apigateway-account.html`,
    offenders: each('ApiGateway::Account', (_, id, resources) => !isAfterOne(resources, id, /^AWS::ApiGateway::/)),
    breaks: add('ApiGateway::Account', {}),
  },
];
