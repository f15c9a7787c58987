import type { AuthenticationSettings } from './authentication.ts';
import type { Lists } from './bundle.ts';
import type { ClientConfig } from './existing.ts';
import type { Packaged } from './packaging.ts';
import type { ServedTables } from './permissions.ts';
import type { Resources } from './resource.ts';
import type { RollbackConfiguration } from './rollback.ts';
import type { Triggered } from './triggers.ts';

interface FunctionDefinition extends Triggered, Packaged {
  name: string;
  role?: string;
  /** Instead of what the provider says. Such a function is traced only as a part of something that is traced. */
  tracing?: 'PassThrough';
  environment?: Record<string, string>;
}

export interface ListenOptions {
  httpPort?: number | string;
  host?: string;
}

/** The parts of the framework, and of the resolved serverless.yml, that the plugins use. */
export interface Serverless {
  configSchemaHandler: { defineFunctionProperties(provider: string, schema: object): void };
  classes: { Error: new (message: string) => Error };
  pluginManager: { plugins: object[]; spawn(command: string): Promise<void> };
  getProvider(name: 'aws'): { getAwsSdkV3Config(): Promise<ClientConfig> };
  processedInput: { commands: string[] };
  service: {
    service: string;
    custom: {
      authentication: AuthenticationSettings;
      /** `historyDays`: for how many days changes are kept. */
      events: { enabled: boolean; historyDays: number };
      monitoring: { enabled: boolean; dashboard: boolean; email: string; rollbackMinutes: number };
      hasAccessLogs: boolean;
      outlives: boolean;
      isProtected: boolean;
      permissionsBoundary: string;
      kmsKey: string;
      domain: string;
      reservedConcurrency: Record<string, number>;
      uniqueEmails: boolean;
      journalParts: number;
      /** Where lists come from, and the address of the domain and its ARN, if that is OpenSearch. */
      lists: Lists;
      openSearch: { url: string; arn: string };
      tables: ServedTables;
      'serverless-offline': ListenOptions & { location?: string };
    };
    functions: Record<string, FunctionDefinition>;
    resources: { Resources: Resources };
    provider: {
      stage: string;
      region: string;
      environment: Record<string, string> & { CORS_ORIGINS: string };
      tracing: { lambda: boolean };
      rollbackConfiguration?: RollbackConfiguration;
      stackTags?: Record<string, string>;
      shouldNotDeploy?: boolean;
      compiledCloudFormationTemplate: { Resources: Resources };
    };
  };
}

export interface Utils {
  log: { notice(message: string): void; warning(message: string): void; error(message: string): void };
}
