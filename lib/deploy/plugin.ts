import { functionRole, type Permission, roleLogicalId } from './roles.ts';

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

interface FunctionDefinition {
  name: string;
  role?: string;
  permissions?: Permission[];
}

interface Serverless {
  configSchemaHandler: { defineFunctionProperties(provider: string, schema: object): void };
  service: {
    custom: { throttling: { requestsPerSecond: number; burst: number } };
    functions: Record<string, FunctionDefinition>;
    resources: { Resources: Record<string, object> };
    provider: { compiledCloudFormationTemplate: { Resources: Record<string, Resource> } };
  };
}

const PERMISSIONS_SCHEMA = {
  properties: {
    permissions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['Action', 'Resource'],
        properties: { Action: { type: 'array' }, Resource: { type: 'array' } },
        additionalProperties: false,
      },
    },
  },
};

/** What the framework leaves out of a template: a role of its own for each function, and the throttling of a stage. */
export default class DeployPlugin {
  readonly hooks: Record<string, () => void>;

  constructor(private readonly serverless: Serverless) {
    serverless.configSchemaHandler.defineFunctionProperties('aws', PERMISSIONS_SCHEMA);
    this.hooks = {
      initialize: () => this.giveRoles(),
      'before:package:finalize': () => this.throttleStage(),
    };
  }

  /** With a role on every function, the framework makes no role that all of them share. */
  private giveRoles(): void {
    const { functions, resources } = this.serverless.service;
    for (const [key, definition] of Object.entries(functions)) {
      definition.role = roleLogicalId(key);
      resources.Resources[definition.role] = functionRole(definition.name, definition.permissions ?? []);
    }
  }

  /** The framework has no setting for it and gives the deployment, which carries the stage, a new name each time. */
  private throttleStage(): void {
    const { custom, provider } = this.serverless.service;
    for (const resource of Object.values(provider.compiledCloudFormationTemplate.Resources)) {
      if (resource.Type !== 'AWS::ApiGateway::Deployment') continue;
      resource.Properties.StageDescription = {
        ThrottlingRateLimit: Number(custom.throttling.requestsPerSecond),
        ThrottlingBurstLimit: Number(custom.throttling.burst),
        MetricsEnabled: true,
        TracingEnabled: true,
      };
    }
  }
}
