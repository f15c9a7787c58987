/** The parts of the OpenID Connect client that the page uses. This is a file of its own, loaded only where people sign in. */
export { OidcClient, User, WebStorageStateStore } from 'oidc-client-ts';
