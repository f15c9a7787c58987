export { type Metadata, readMetadata } from './metadata.ts';
export { policyFor } from './policy.ts';
export { isProtected, NO_ISSUER, tokenRules } from './settings.ts';
export { createTokenVerifier, InvalidToken } from './tokens.ts';
export { wholeOf } from './whole.ts';
