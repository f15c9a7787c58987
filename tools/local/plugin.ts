import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDynamo } from '../../lib/dynamodb/index.ts';
import { createFileSink } from '../../lib/events/file.ts';
import { optionalVariable, systemRuntime } from '../../lib/ground/index.ts';
import { createRepair } from '../../lib/replica/index.ts';
import { type Database, LIMITS } from '../../lib/users/database.ts';
import { USER_ROWS } from '../../lib/users/rows.ts';
import type { ListenOptions, Serverless, Utils } from '../deploy/framework.ts';
import { createMissingTables, tableDefinitions } from '../deploy/tables.ts';
import { bundleEverySave } from './bundling.ts';
import { forgetAtEnd } from './dataFile.ts';
import { startFolding, TIMED } from './foldTimer.ts';
import { prepareGateway } from './gateway.ts';
import { greeting } from './greeting.ts';
import { helpFor } from './help.ts';
import { startLocalStore } from './localStore.ts';
import { bundleTogether, serveBundle } from './oneBundle.ts';
import { fillIndex, findOpenSearch, requireLists } from './openSearch/listing.ts';
import { requirePort } from './port.ts';
import { exitOnSignals, exitSoon, exitWithParent } from './processes.ts';
import { announce, makeWorkFolder, removeLeftovers, useLocalCredentials } from './workFolder.ts';

/** How long to wait for the store: long enough for a busy machine, but not for ever. */
const TIMEOUTS = { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/** Gives `serverless offline` a DynamoDB with the tables of the template. Prints what to do next. */
export default class LocalPlugin {
  readonly hooks: Record<string, () => unknown>;
  private readonly serverless: Serverless;
  private readonly options: ListenOptions;
  private readonly utils: Utils;

  constructor(serverless: Serverless, options: ListenOptions, utils: Utils) {
    this.serverless = serverless;
    this.options = options;
    this.utils = utils;
    const help = helpFor(process.argv.slice(2));
    // The framework would list options that do nothing here. It loads plugins before it says anything.
    if (help !== undefined) {
      process.stdout.write(help);
      process.exit(0);
    }
    const start = () => this.start();
    this.hooks = {
      'before:offline:start': start,
      'before:offline:start:init': start,
      // The framework has printed the error. The store, esbuild and its watcher would keep the process running.
      error: () => exitSoon(1),
    };
  }

  private bundle(workFolder: string): Promise<void> {
    const { pluginManager, service } = this.serverless;
    return bundleEverySave(bundleTogether(service.functions), service.custom.lists, {
      serve: (bundle) => serveBundle(workFolder, bundle),
      reload: () => pluginManager.spawn('offline:functionsUpdated'),
      fail: () => this.utils.log.error('Bundle error, waiting for a file change to reload...'),
    });
  }

  private async start(): Promise<void> {
    exitOnSignals();
    // Only npm: a service that a terminal started in the background may outlive it.
    if (optionalVariable('npm_command')) exitWithParent();
    try {
      await this.prepare();
    } catch (error) {
      // For this class of errors the framework prints only the message, which says what to do.
      throw new this.serverless.classes.Error(error instanceof Error ? error.message : String(error));
    }
  }

  private async prepare(): Promise<void> {
    const { custom, provider, resources } = this.serverless.service;
    const { environment } = provider;
    requireLists(custom.lists);
    // A stage that lets all origins call it is meant for the web. This service is meant for this machine.
    if (environment.CORS_ORIGINS === '*') environment.CORS_ORIGINS = optionalVariable('CORS_ORIGINS') ?? '';
    const { httpPort, host = 'localhost' } = { ...custom['serverless-offline'], ...this.options };
    const port = Number(httpPort);
    await requirePort(port, host);
    const events = optionalVariable('EVENTS_FILE');
    // Fails here, and not in the log of each second.
    if (events !== undefined) await createFileSink(events).send([], async () => []);
    removeLeftovers();

    const { endpoint, place, wayOut } = await this.openStore();
    useLocalCredentials();
    process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
    const client = new DynamoDBClient({ endpoint, region: provider.region, requestHandler: TIMEOUTS });
    await createMissingTables(client, tableDefinitions(resources.Resources), wayOut);
    client.destroy();
    // In a deployed stage the fold does it within a minute.
    const dynamo = createDynamo({ endpoint, region: provider.region, isUnhurried: true });
    const storage = { dynamo, tables: custom.tables, runtime: systemRuntime, limits: LIMITS, rows: USER_ROWS };
    if (custom.lists === 'opensearch') await this.openIndex(storage);
    else await createRepair(storage).ensureBase();
    dynamo.destroy();

    const workFolder = makeWorkFolder();
    this.prepareTimed();
    await this.bundle(workFolder);
    custom['serverless-offline'].location = workFolder;
    await prepareGateway(resources.Resources, { host, origins: environment.CORS_ORIGINS }, () => {
      announce({ port, endpoint, region: provider.region, tables: custom.tables });
      startFolding(new URL('./foldWorker.ts', import.meta.url), workFolder);
      this.utils.log.notice(greeting(this.serverless.service, host, port, place));
    });
  }

  private async openIndex(storage: Database): Promise<void> {
    const { environment, stage } = this.serverless.service.provider;
    const url = await findOpenSearch(() => {
      this.utils.log.error('OpenSearch has ended, and the service with it. Start it again.');
      exitSoon(1);
    });
    // Nothing of before a deployment runs here.
    Object.assign(environment, { OPENSEARCH_URL: url, CHANGE_OVER_MS: '0' });
    await fillIndex(storage, url, stage);
  }

  /** Only the timer calls these functions, so serverless-offline does not give them their environment. */
  private prepareTimed(): void {
    const { functions, provider } = this.serverless.service;
    Object.assign(process.env, provider.environment, { AWS_REGION: provider.region, IS_OFFLINE: 'true' });
    for (const definition of TIMED.flatMap((name) => functions[name] ?? [])) {
      definition.events = [];
      Object.assign(process.env, definition.environment);
    }
  }

  /** A store, the place of its data, and what to do when its tables do not fit. */
  private async openStore() {
    const endpoint = optionalVariable('AWS_ENDPOINT_URL_DYNAMODB');
    if (endpoint) return { endpoint, place: `at ${endpoint}`, wayOut: 'delete it there, or name another store' };
    const file = optionalVariable('DYNAMODB_DATA');
    const { name, endpoint: started, ended } = await startLocalStore(file);
    ended.then(() => {
      this.utils.log.error(`${name} has ended, and the service with it. Start it again.`);
      exitSoon(1);
    });
    if (file) forgetAtEnd(file);
    const place = file ? `in ${file}` : 'in memory, until you stop the service';
    return { endpoint: started, place, wayOut: `delete ${file}, or name another file in DYNAMODB_DATA` };
  }
}
