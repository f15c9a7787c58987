/** What `npm run verify` prints, where the rehearsal reads it. */
export const number = (value: number): string => value.toLocaleString('en-US');

export const keysGiven = (users: number): string => `${number(users)} users were given keys that they lacked`;
