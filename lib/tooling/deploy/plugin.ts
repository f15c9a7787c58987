import { NO_ISSUER } from '../../auth/settings.ts';
import type { TableNames } from '../../users/database.ts';
import { usersTableSchema } from '../../users/indexes.ts';
import { importExisting } from './adoption.ts';
import { AUTHORIZER, type AuthenticationSettings, protect, refusalOf } from './authentication.ts';
import { reserve } from './concurrency.ts';
import { openErrors } from './cors.ts';
import { completeEvents, type FunctionEvents } from './events.ts';
import { ACCESS_LOG, accessLogGroup, accessLogSetting, keepLogs } from './logs.ts';
import { monitoringOf } from './monitoring.ts';
import { PERMISSION_WORDS, type PermissionWord, permissionsOf } from './permissions.ts';
import type { Resource } from './resource.ts';
import { functionRole, roleLogicalId } from './roles.ts';
import { type ClientConfig, fitToStage, protectTables } from './rollout.ts';
import { areOwn, leaveOutTables, type ServedTables } from './tables.ts';

interface FunctionDefinition extends FunctionEvents {
  name: string;
  role?: string;
  permissions?: PermissionWord[];
  reservedConcurrency?: number;
}

interface Serverless {
  configSchemaHandler: { defineFunctionProperties(provider: string, schema: object): void };
  classes: { Error: new (message: string) => Error };
  pluginManager: { plugins: object[] };
  getProvider(name: 'aws'): { getAwsSdkV3Config(): Promise<ClientConfig> };
  processedInput: { commands: string[] };
  service: {
    service: string;
    custom: {
      throttling: { requestsPerSecond: number; burst: number };
      authentication: AuthenticationSettings;
      monitoring: { enabled: boolean; email: string };
      logs: { access: boolean; retentionInDays: number };
      outlives: boolean;
      isProtected: boolean;
      permissionsBoundary: string;
      reservedConcurrency: Record<string, number>;
      tables: TableNames;
      usersStream: string;
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

interface Utils {
  log: { notice(message: string): void; warning(message: string): void };
}

/** The commands whose outcome gets deployed. */
const DEPLOYING = ['package', 'deploy'];

/**
 * What the framework leaves out of a template: what follows from the fields and the routes, authentication that no route
 * can forget, a role of its own for each function, monitoring, and the throttling of a stage.
 */
export default class DeployPlugin {
  readonly commands = {
    deploy: {
      options: { adopt: { type: 'boolean', usage: 'Serve from the tables of a stack that is gone: docs/runbook.md' } },
    },
  };
  readonly hooks: Record<string, () => unknown>;

  constructor(
    private readonly serverless: Serverless,
    private readonly options: { adopt?: boolean },
    private readonly utils: Utils,
  ) {
    serverless.configSchemaHandler.defineFunctionProperties('aws', PERMISSIONS_SCHEMA);
    this.hooks = {
      initialize: () => this.complete(),
      'before:package:initialize': () => this.meetStage(),
      'before:package:finalize': () => this.completeDeployment(),
      'after:deploy:deploy': () => this.protectTables(),
    };
  }

  private complete(): void {
    const { custom, functions, provider, resources } = this.serverless.service;
    completeEvents(functions);
    Object.assign(resources.Resources.UsersTable?.Properties ?? {}, usersTableSchema());
    this.authenticate();
    if (this.isDeploying()) {
      this.refuse(leaveOutTables(this.serverless.service, this.servedTables, this.stack));
      this.refuse(reserve(functions, custom.reservedConcurrency));
    }
    this.giveRoles();
    this.watch();
    openErrors(resources.Resources, provider.environment.CORS_ORIGINS);
  }

  private get stack(): string {
    const { service, provider } = this.serverless.service;
    return `${service}-${provider.stage}`;
  }

  private get servedTables(): ServedTables {
    const { tables, usersStream } = this.serverless.service.custom;
    return { ...tables, stream: usersStream };
  }

  private isDeploying(): boolean {
    return DEPLOYING.includes(this.serverless.processedInput.commands[0] ?? '');
  }

  /** As this class of errors the framework prints the message only: it says what to do. */
  private refuse(reason: string | undefined): void {
    if (reason !== undefined) throw new this.serverless.classes.Error(reason);
  }

  /** On where there is an issuer, which a deployment has to have. */
  private authenticate(): void {
    const { custom, functions, provider } = this.serverless.service;
    const { issuer, cacheSeconds } = custom.authentication;
    if (this.isDeploying()) this.refuse(refusalOf(provider.stage, custom.authentication));
    if (issuer === '' || issuer === NO_ISSUER) delete functions[AUTHORIZER];
    else protect(functions, cacheSeconds);
  }

  /** With a role on every function, the framework makes no role that all of them share. */
  private giveRoles(): void {
    const { custom, functions, resources } = this.serverless.service;
    for (const [key, definition] of Object.entries(functions)) {
      const permissions = permissionsOf(key, definition.permissions ?? [], this.servedTables);
      definition.role = roleLogicalId(key);
      resources.Resources[definition.role] = functionRole(definition.name, permissions, custom.permissionsBoundary);
    }
  }

  private watch(): void {
    const { service, custom, provider, resources } = this.serverless.service;
    const { enabled, email } = custom.monitoring;
    if (custom.logs.access) resources.Resources[ACCESS_LOG] = accessLogGroup(this.stack, custom.logs.retentionInDays);
    if (!enabled) return;
    Object.assign(resources.Resources, monitoringOf({ service, stage: provider.stage, tables: custom.tables }, email));
    if (this.isDeploying() && email === '') {
      this.utils.log.warning(`Nobody will hear of an alarm of stage ${provider.stage}: ALARM_EMAIL is not set.`);
    }
  }

  /** A package is made without a look at what is there, and without credentials. */
  private async meetStage(): Promise<void> {
    if (this.serverless.processedInput.commands[0] !== 'deploy') return;
    const { custom, provider, resources } = this.serverless.service;
    const isAdopting = this.options.adopt ?? false;
    const rollout = {
      stage: provider.stage,
      stack: this.stack,
      tables: custom.tables,
      resources: resources.Resources,
      isAdopting,
      hasAccessLogs: custom.logs.access,
    };
    this.refuse(await fitToStage(await this.clientConfig(), rollout, (message) => this.utils.log.notice(message)));
    if (isAdopting || custom.outlives) importExisting(this.serverless.pluginManager.plugins);
  }

  private clientConfig(): Promise<ClientConfig> {
    return this.serverless.getProvider('aws').getAwsSdkV3Config();
  }

  private async protectTables(): Promise<void> {
    const { isProtected, tables } = this.serverless.service.custom;
    if (isProtected && areOwn(tables, this.stack)) await protectTables(await this.clientConfig(), tables);
  }

  /**
   * The framework has no setting for the throttling and gives the deployment, which carries the stage, a new name each
   * time. What API Gateway answers by itself is part of a deployment, so it has to be there before.
   */
  private completeDeployment(): void {
    const { custom, provider, resources } = this.serverless.service;
    const compiled = provider.compiledCloudFormationTemplate.Resources;
    const answers = Object.entries(resources.Resources)
      .filter(([, { Type }]) => Type === 'AWS::ApiGateway::GatewayResponse')
      .map(([id]) => id);
    for (const resource of Object.values(compiled)) {
      if (resource.Type !== 'AWS::ApiGateway::Deployment') continue;
      resource.DependsOn = [...[resource.DependsOn ?? []].flat(), ...answers];
      resource.Properties.StageDescription = {
        ThrottlingRateLimit: Number(custom.throttling.requestsPerSecond),
        ThrottlingBurstLimit: Number(custom.throttling.burst),
        MetricsEnabled: true,
        TracingEnabled: true,
        ...(custom.logs.access && { AccessLogSetting: accessLogSetting() }),
      };
    }
    if (custom.outlives) keepLogs({ ...compiled, ...resources.Resources });
  }
}
