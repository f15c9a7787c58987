import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { optionalVariable } from '../../lib/ground/index.ts';
import { MOST_PARTS } from '../../lib/replica/index.ts';
import { NO_ISSUER } from '../../lib/rest/tokens/index.ts';
import { usersTableSchema } from '../../lib/users/indexes.ts';
import { concurrencyOf, refusalOfAccount } from './account.ts';
import { importExisting } from './adoption.ts';
import { keepLogs, leaveOutAccessLog, makeInRows, openErrors, pointStage } from './apiStage.ts';
import { AUTHORIZER, protect, refusalOf, refusalOfTokens } from './authentication.ts';
import { encryptTables, refusalOfKey, withKey } from './encryption.ts';
import { type ClientConfig, templateOf } from './existing.ts';
import { keepFormerRoutes } from './formerRoutes.ts';
import type { Serverless, Utils } from './framework.ts';
import { faultsAlarm, fitMonitoring } from './monitoring.ts';
import { areOwn, leaveOutTables } from './otherTables.ts';
import { packageFunctions } from './packaging.ts';
import { FOR_UNIQUE_EMAILS, PERMISSION_WORDS, permissionsOf } from './permissions.ts';
import { functionRole, roleLogicalId, WRITE_TRACES } from './roles.ts';
import { type RollbackConfiguration, rollbackOn, WATCH_NOTHING } from './rollback.ts';
import { fitToStage, protectTables } from './rollout.ts';
import { refusalOfLists, searchPermissions } from './search.ts';
import { completeTriggers } from './triggers.ts';
import { isUnchanged, noteCode } from './unchanged.ts';

const PERMISSIONS_SCHEMA = {
  properties: { permissions: { type: 'array', items: { enum: PERMISSION_WORDS } } },
};

interface Options {
  adopt?: boolean;
  resend?: boolean;
  unwatched?: boolean;
}

/**
 * Adds what the framework leaves out of a template: indexes, what follows from the routes, authentication that no route can forget, a role
 * for each function, monitoring, and the stage of the API.
 */
export default class DeployPlugin {
  readonly commands = {
    deploy: {
      options: {
        adopt: { type: 'boolean', usage: 'Serve from the tables of a deleted stack: docs/runbook.md' },
        resend: { type: 'boolean', usage: 'Deploy though nothing has changed, which replaces all containers' },
        unwatched: { type: 'boolean', usage: 'Do not roll back if requests fail: docs/deployment.md' },
      },
    },
  };
  readonly hooks: Record<string, () => unknown>;
  private readonly serverless: Serverless;
  private readonly options: Options;
  private readonly utils: Utils;
  /** The template that the stack has. */
  private deployed = '{}';

  constructor(serverless: Serverless, options: Options, utils: Utils) {
    this.serverless = serverless;
    this.options = options;
    this.utils = utils;
    serverless.configSchemaHandler.defineFunctionProperties('aws', PERMISSIONS_SCHEMA);
    this.hooks = {
      initialize: () => this.complete(),
      'before:package:initialize': () => this.meetStage(),
      'before:package:createDeploymentArtifacts': () =>
        packageFunctions(this.serverless.service.functions, this.serverless.service.custom.lists),
      'before:package:finalize': () => this.completeDeployment(),
      'before:deploy:deploy': () => this.tag(),
      'after:aws:deploy:deploy:checkForChanges': () => this.leaveUnchanged(),
      'after:deploy:deploy': () => this.protectTables(),
      'before:rollback:rollback': () => this.prepareRollback(),
      'after:rollback:rollback': () => this.protectTables(),
    };
  }

  private complete(): void {
    const { custom, functions, provider, resources } = this.serverless.service;
    this.countParts();
    this.search();
    this.sendEvents();
    completeTriggers(functions, this.command === 'offline');
    Object.assign(resources.Resources.UsersTable?.Properties ?? {}, usersTableSchema());
    this.authenticate();
    if (this.isDeploying()) {
      this.refuse(leaveOutTables(this.serverless.service, custom.tables, this.stack));
      this.refuse(refusalOfKey(custom.kmsKey, provider.region));
      encryptTables(resources.Resources, custom.kmsKey);
    }
    for (const [name, reservedConcurrency] of Object.entries(custom.reservedConcurrency)) {
      if (!functions[name]) this.refuse(`reservedConcurrency in serverless.yml names ${name}, which is no function.`);
      Object.assign(functions[name] ?? {}, { reservedConcurrency });
    }
    this.giveRoles();
    this.watch();
    openErrors(resources.Resources, provider.environment.CORS_ORIGINS);
    makeInRows(resources.Resources);
  }

  private get stack(): string {
    const { service, provider } = this.serverless.service;
    return `${service}-${provider.stage}`;
  }

  private get command(): string {
    return this.serverless.processedInput.commands[0] ?? '';
  }

  /** Whether what is deployed is built. */
  private isDeploying(): boolean {
    return ['package', 'deploy'].includes(this.command);
  }

  /** The framework prints only the message of this class of errors, which says what to do. */
  private refuse(reason: string | undefined): void {
    if (reason !== undefined) throw new this.serverless.classes.Error(reason);
  }

  /** Authentication is on if there is an issuer. A deployment must have one. */
  private authenticate(): void {
    const { custom, functions, provider } = this.serverless.service;
    const { issuer, cacheSeconds } = custom.authentication;
    if (this.isDeploying()) this.refuse(refusalOf(provider.stage, custom.authentication));
    if (issuer === '' || issuer === NO_ISSUER) {
      delete functions[AUTHORIZER];
      return;
    }
    if (this.command === 'offline') this.refuse(refusalOfTokens(custom.authentication, true));
    protect(functions, cacheSeconds);
  }

  private countParts(): void {
    const { custom, provider } = this.serverless.service;
    const parts = Number(custom.journalParts);
    const isPossible = Number.isInteger(parts) && parts >= 1 && parts <= MOST_PARTS;
    if (!isPossible) this.refuse(`Stage ${provider.stage} has journalParts of ${parts}: set 1 to ${MOST_PARTS}.`);
  }

  /** Functions sign what they send to a domain; what a local service brings asks for no signatures. */
  private search(): void {
    const { custom, provider } = this.serverless.service;
    const { stage, region, environment } = provider;
    // A variable of a workflow may be empty.
    custom.lists ||= 'replica';
    const { lists, openSearch } = custom;
    if (this.isDeploying()) this.refuse(refusalOfLists(stage, lists, openSearch));
    if (lists === 'opensearch' && this.command !== 'offline')
      Object.assign(environment, { OPENSEARCH_URL: openSearch.url, OPENSEARCH_REGION: region });
  }

  /** The local service has no bus, and sends events only to a file. */
  private sendEvents(): void {
    const { custom, functions, provider, resources } = this.serverless.service;
    const isLocal = this.command === 'offline';
    if (isLocal ? optionalVariable('EVENTS_FILE') === undefined : !custom.events.enabled) {
      delete functions.sendEvents;
      delete resources.Resources.EventBus;
      return;
    }
    if ((isLocal || this.isDeploying()) && Number(custom.events.historyDays) === 0) {
      const advice = 'set its historyDays to some days, or its events to false';
      this.refuse(`Stage ${provider.stage} has events, but keeps no changes to make them from: ${advice}.`);
    }
  }

  /** If every function has a role, the framework makes no shared one. */
  private giveRoles(): void {
    const { custom, functions, provider, resources } = this.serverless.service;
    for (const [key, definition] of Object.entries(functions)) {
      const words = (definition.permissions ?? []).filter(
        (word) => custom.uniqueEmails || !FOR_UNIQUE_EMAILS.includes(word),
      );
      const traces = provider.tracing.lambda && !definition.tracing ? [WRITE_TRACES] : [];
      const asks = custom.lists === 'opensearch' ? searchPermissions(words, custom.openSearch) : [];
      const permissions = [...withKey(permissionsOf(words, custom.tables), custom.kmsKey), ...asks, ...traces];
      definition.role = roleLogicalId(key);
      resources.Resources[definition.role] = functionRole(definition.name, permissions, custom.permissionsBoundary);
    }
  }

  private watch(): void {
    const { custom, functions, provider, resources } = this.serverless.service;
    const { enabled, dashboard, email } = custom.monitoring;
    if (!custom.hasAccessLogs) leaveOutAccessLog(resources.Resources);
    if (custom.domain === '') delete resources.Resources.DomainMapping;
    fitMonitoring(resources.Resources, {
      ...{ isMonitored: enabled, hasDashboard: dashboard, email, functions: Object.keys(functions) },
      hasIndex: custom.lists === 'opensearch',
    });
    if (enabled && this.isDeploying() && email === '') {
      this.utils.log.warning(`Nobody receives the alarms of stage ${provider.stage}: ALARM_EMAIL is not set.`);
    }
  }

  /** Packaging does not look at the deployed stage, and needs no credentials. */
  private async meetStage(): Promise<void> {
    if (this.command !== 'deploy') return;
    const { custom, provider, resources } = this.serverless.service;
    const isAdopting = this.options.adopt ?? false;
    const { stage, region } = provider;
    if (custom.hasAccessLogs) this.refuse(await refusalOfAccount(await this.clientConfig(), region));
    await this.askForConcurrency();
    const rollout = { stage, stack: this.stack, tables: custom.tables, resources: resources.Resources, isAdopting };
    this.refuse(await fitToStage(await this.clientConfig(), rollout));
    if (isAdopting || custom.outlives) importExisting(this.serverless.pluginManager.plugins, 'AwsDeploy');
    provider.rollbackConfiguration = await this.rollbackOn();
  }

  private async askForConcurrency(): Promise<void> {
    const { custom, provider } = this.serverless.service;
    const config = await this.clientConfig();
    const { refusal, warning } = await concurrencyOf(config, provider.region, custom.reservedConcurrency);
    this.refuse(refusal);
    if (warning !== undefined) this.utils.log.warning(warning);
  }

  private async rollbackOn(): Promise<RollbackConfiguration> {
    const { enabled, rollbackMinutes } = this.serverless.service.custom.monitoring;
    if (!enabled || this.options.unwatched) return WATCH_NOTHING;
    const alarm = faultsAlarm(this.stack);
    return rollbackOn(await this.clientConfig(), alarm, rollbackMinutes, (message) => this.utils.log.warning(message));
  }

  /**
   * All that can have tags has the stage, which the framework adds, and the service: costs are told apart by them. It is told as late as
   * this, because with tags in the saved state the framework changes the stage of the API by itself.
   */
  private tag(): void {
    const { provider, service } = this.serverless.service;
    provider.stackTags = { service };
  }

  private prepareRollback(): void {
    const { custom, provider } = this.serverless.service;
    this.tag();
    // Faults are why somebody rolls back: they must not undo that.
    provider.rollbackConfiguration = WATCH_NOTHING;
    // The log group of a function that the later version does not have.
    if (custom.outlives) importExisting(this.serverless.pluginManager.plugins, 'AwsRollback');
  }

  private clientConfig(): Promise<ClientConfig> {
    return this.serverless.getProvider('aws').getAwsSdkV3Config();
  }

  private async protectTables(): Promise<void> {
    const { isProtected, tables } = this.serverless.service.custom;
    if (isProtected && areOwn(tables, this.stack)) await protectTables(await this.clientConfig(), tables);
  }

  /** New code in a function replaces its containers, also by the same code: each reads all users again. */
  private leaveUnchanged(): void {
    const { provider } = this.serverless.service;
    if (!this.options.resend && isUnchanged(this.deployed, provider.compiledCloudFormationTemplate))
      provider.shouldNotDeploy = true;
  }

  private async completeDeployment(): Promise<void> {
    const { custom, functions, provider, resources } = this.serverless.service;
    const compiled = provider.compiledCloudFormationTemplate.Resources;
    noteCode(compiled, functions);
    if (this.command === 'deploy') {
      this.deployed = await templateOf(new CloudFormationClient(await this.clientConfig()), this.stack);
      keepFormerRoutes(compiled, JSON.parse(this.deployed).Resources);
    }
    pointStage(compiled, resources.Resources);
    if (custom.outlives) keepLogs({ ...compiled, ...resources.Resources });
  }
}
