import type { Serverless } from '../../tools/deploy/framework.ts';
import DeployPlugin from '../../tools/deploy/plugin.ts';

/** The usual settings of a stage. */
export const CUSTOM = {
  authentication: { issuer: 'https://id.example', audience: 'users', mayBeOpen: true, cacheSeconds: 300 },
  events: { enabled: false, historyDays: 30 },
  monitoring: { enabled: false, dashboard: false, email: '', rollbackMinutes: 0 },
  tables: { users: 'own-dev-users', directory: 'own-dev-directory', stream: '' },
  ...{
    journalParts: 1,
    lists: 'replica',
    openSearch: { url: '', arn: '' },
    kmsKey: '',
    domain: '',
    reservedConcurrency: {},
    permissionsBoundary: '',
  },
};

/** The hooks of the plugin in a command, for a service with these settings besides the usual ones. Clients have the given configuration. */
export function pluginFor(
  command: string,
  settings: object,
  { config = {}, ...options }: { config?: object; unwatched?: boolean } = {},
) {
  const service = {
    ...{ service: 'own', custom: { ...CUSTOM, ...settings }, functions: {} },
    resources: { Resources: { UsersTable: { Properties: {} }, DirectoryTable: { Properties: {} } } },
    provider: {
      ...{ stage: 'dev', region: 'eu-central-1', environment: { CORS_ORIGINS: '' }, tracing: { lambda: false } },
    },
  };
  const serverless = {
    configSchemaHandler: { defineFunctionProperties: () => {} },
    getProvider: () => ({ getAwsSdkV3Config: async () => config }),
    ...{ classes: { Error }, processedInput: { commands: [command] }, service },
  } as object as Serverless;
  const log = { notice: () => {}, warning: () => {}, error: () => {} };
  return { hooks: new DeployPlugin(serverless, options, { log }).hooks, provider: serverless.service.provider };
}
