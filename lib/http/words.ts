/** The hand-written part of what `npm run derive` writes into routes.ts: the way to change or delete several users. */
export const CHANGE_MANY =
  'POST /api/users/edits changes or deletes all users who match its filters, and POST /api/users/batch up to 100 users whom it names';

export interface Words {
  elsewhere: string;
  there: string;
}

/** Words of paths in other APIs that mean no single endpoint, in small letters and digits, and what is there for each. */
export const OTHER_WORDS: readonly Words[] = [
  {
    elsewhere: 'edits edit batch bulk bulks multiple many mass delete remove destroy purge update',
    there: CHANGE_MANY,
  },
  {
    elsewhere: 'me self current whoami myself userinfo profile',
    there: 'The service does not know which user calls: GET /api/users?externalId= finds one by the sub of a token',
  },
  {
    elsewhere: 'groups group roles role teams team tags tag departments department permissions memberships memberof',
    there: 'Groups are an array in attributes: GET /api/users?attributes.groups=admins',
  },
];
