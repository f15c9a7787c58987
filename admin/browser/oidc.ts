/** What the page needs of the client of OpenID Connect: a file of its own, which it loads only where people sign in. */
export { OidcClient, User, WebStorageStateStore } from 'oidc-client-ts';
