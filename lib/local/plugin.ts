import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TableNames } from '../users/database.ts';
import { optionalVariable } from '../runtime.ts';
import { startEmbeddedStore } from './embeddedStore.ts';
import { useLocalCredentials } from './environment.ts';
import { prepareGateway } from './gateway.ts';
import { announce } from './serviceFile.ts';
import { createMissingTables, type TemplateResource, tableDefinitions } from './tables.ts';

interface Serverless {
  service: {
    custom: {
      tables: TableNames;
      esbuild: { outputWorkFolder: string };
      'serverless-offline': { httpPort: number | string };
    };
    provider: { region: string };
    resources: { Resources: Record<string, TemplateResource> };
  };
}

interface Utils {
  log: { notice(message: string): void };
}

/** Gives `serverless offline` a DynamoDB with the tables of the template, and a start that says what to do next. */
export default class LocalPlugin {
  readonly hooks: Record<string, () => Promise<void>>;

  constructor(
    private readonly serverless: Serverless,
    _options: object,
    private readonly utils: Utils,
  ) {
    const start = () => this.start();
    this.hooks = {
      'before:offline:start': start,
      'before:offline:start:init': start,
      'offline:functionsUpdated:cleanup': () => this.forgetBundles(),
    };
  }

  /** serverless-esbuild has bundled changed sources anew: the next request loads them. */
  private async forgetBundles(): Promise<void> {
    const { cache } = createRequire(import.meta.url);
    const folder = resolve(this.serverless.service.custom.esbuild.outputWorkFolder);
    for (const file of Object.keys(cache)) {
      if (file.startsWith(folder)) delete cache[file];
    }
  }

  private async start(): Promise<void> {
    const { custom, provider, resources } = this.serverless.service;
    const dataFile = optionalVariable('DYNAMODB_DATA');
    const given = optionalVariable('AWS_ENDPOINT_URL_DYNAMODB');
    const endpoint = given ?? (await startEmbeddedStore(dataFile)).endpoint;
    useLocalCredentials();
    process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;

    process.once('exit', () => rmSync(custom.esbuild.outputWorkFolder, { recursive: true, force: true }));

    const client = new DynamoDBClient({ endpoint, region: provider.region });
    await createMissingTables(client, tableDefinitions(resources.Resources));
    client.destroy();

    const port = Number(custom['serverless-offline'].httpPort);
    announce(port, { endpoint, region: provider.region, tables: custom.tables });
    const data = given ? `at ${given}` : dataFile ? `in ${dataFile}` : 'in memory, until you stop the service';
    await prepareGateway({
      resources: resources.Resources,
      onReady: () => this.greet(`http://localhost:${port}/api`, data),
    });
  }

  private greet(url: string, data: string): void {
    const lines = [
      '',
      `Users are served at ${url}/users (data ${data}). Try:`,
      '',
      `  curl -s ${url}/users`,
      '',
      `or open ${url}/docs in a browser.`,
      '',
    ];
    this.utils.log.notice(lines.join('\n'));
  }
}
