/** The part of the SDK in Lambda's runtime that doors use. Nothing here installs it, and no bundle has it. */
declare module '@aws-sdk/client-secrets-manager' {
  export class SecretsManager {
    getSecretValue(input: { SecretId: string }): Promise<{ SecretString?: string }>;
  }
}
