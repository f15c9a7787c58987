import { NO_ISSUER } from '../../auth/settings.ts';
import type { TableNames } from '../../users/database.ts';
import { usersTableSchema } from '../../users/indexes.ts';
import { AUTHORIZER, type AuthenticationSettings, protect, refusalOf } from './authentication.ts';
import { openErrors } from './cors.ts';
import { completeEvents, type FunctionEvents } from './events.ts';
import { monitoringOf } from './monitoring.ts';
import { PERMISSION_WORDS, type PermissionWord, permissionsOf } from './permissions.ts';
import type { Resource } from './resource.ts';
import { functionRole, roleLogicalId } from './roles.ts';
import { leaveOutTables } from './tables.ts';

interface FunctionDefinition extends FunctionEvents {
  name: string;
  role?: string;
  permissions?: PermissionWord[];
}

interface Serverless {
  configSchemaHandler: { defineFunctionProperties(provider: string, schema: object): void };
  classes: { Error: new (message: string) => Error };
  processedInput: { commands: string[] };
  service: {
    service: string;
    custom: {
      throttling: { requestsPerSecond: number; burst: number };
      authentication: AuthenticationSettings;
      monitoring: { enabled: boolean; email: string };
      tables: TableNames;
    };
    functions: Record<string, FunctionDefinition>;
    resources: { Resources: Record<string, Resource> };
    provider: {
      stage: string;
      environment: { CORS_ORIGINS: string };
      compiledCloudFormationTemplate: { Resources: Record<string, Resource> };
    };
  };
}

const PERMISSIONS_SCHEMA = {
  properties: { permissions: { type: 'array', items: { enum: PERMISSION_WORDS } } },
};

/** The commands whose outcome gets deployed. */
const DEPLOYING = ['package', 'deploy'];

/**
 * What the framework leaves out of a template: what follows from the fields and the routes, authentication that no route
 * can forget, a role of its own for each function, monitoring, and the throttling of a stage.
 */
export default class DeployPlugin {
  readonly hooks: Record<string, () => void>;

  constructor(private readonly serverless: Serverless) {
    serverless.configSchemaHandler.defineFunctionProperties('aws', PERMISSIONS_SCHEMA);
    this.hooks = {
      initialize: () => this.complete(),
      'before:package:finalize': () => this.completeDeployment(),
    };
  }

  private complete(): void {
    const { functions, provider, resources } = this.serverless.service;
    completeEvents(functions);
    Object.assign(resources.Resources.UsersTable?.Properties ?? {}, usersTableSchema());
    this.authenticate();
    if (this.isDeploying()) this.leaveOutTables();
    this.giveRoles();
    this.watch();
    openErrors(resources.Resources, provider.environment.CORS_ORIGINS);
  }

  private isDeploying(): boolean {
    return DEPLOYING.includes(this.serverless.processedInput.commands[0] ?? '');
  }

  /** On where there is an issuer, which a deployment has to have. */
  private authenticate(): void {
    const { custom, functions, provider } = this.serverless.service;
    const { issuer, cacheSeconds } = custom.authentication;
    const refusal = this.isDeploying() ? refusalOf(provider.stage, custom.authentication) : undefined;
    if (refusal) throw new this.serverless.classes.Error(refusal);
    if (issuer === '' || issuer === NO_ISSUER) delete functions[AUTHORIZER];
    else protect(functions, cacheSeconds);
  }

  private leaveOutTables(): void {
    const { service, provider, custom } = this.serverless.service;
    const refusal = leaveOutTables(this.serverless.service, custom.tables, `${service}-${provider.stage}`);
    if (refusal) throw new this.serverless.classes.Error(refusal);
  }

  /** With a role on every function, the framework makes no role that all of them share. */
  private giveRoles(): void {
    const { custom, functions, resources } = this.serverless.service;
    for (const [key, definition] of Object.entries(functions)) {
      const permissions = permissionsOf(key, definition.permissions ?? [], custom.tables);
      definition.role = roleLogicalId(key);
      resources.Resources[definition.role] = functionRole(definition.name, permissions);
    }
  }

  private watch(): void {
    const { service, custom, provider, resources } = this.serverless.service;
    const { enabled, email } = custom.monitoring;
    if (!enabled) return;
    Object.assign(resources.Resources, monitoringOf({ service, stage: provider.stage, tables: custom.tables }, email));
  }

  /**
   * The framework has no setting for the throttling and gives the deployment, which carries the stage, a new name each
   * time. What API Gateway answers by itself is part of a deployment, so it has to be there before.
   */
  private completeDeployment(): void {
    const { custom, provider, resources } = this.serverless.service;
    const answers = Object.entries(resources.Resources)
      .filter(([, { Type }]) => Type === 'AWS::ApiGateway::GatewayResponse')
      .map(([id]) => id);
    for (const resource of Object.values(provider.compiledCloudFormationTemplate.Resources)) {
      if (resource.Type !== 'AWS::ApiGateway::Deployment') continue;
      resource.DependsOn = [...[resource.DependsOn ?? []].flat(), ...answers];
      resource.Properties.StageDescription = {
        ThrottlingRateLimit: Number(custom.throttling.requestsPerSecond),
        ThrottlingBurstLimit: Number(custom.throttling.burst),
        MetricsEnabled: true,
        TracingEnabled: true,
      };
    }
  }
}
