/** The tables and indexes by name; `tables.yml` beside this file defines them, and a test compares the two. */
export interface TableNames {
  users: string;
  directory: string;
}

/** Every index holds the users of one partition in the order of its sort key; ties in a sort key cannot occur. */
export const USERS_INDEXES = {
  byId: { partitionKey: 'kind', sortKey: 'id' },
  byName: { partitionKey: 'kind', sortKey: 'nameKey' },
  byEmail: { partitionKey: 'kind', sortKey: 'emailKey' },
  byAge: { partitionKey: 'kind', sortKey: 'ageKey' },
  byFirstName: { partitionKey: 'kind', sortKey: 'firstNameKey' },
  byLastName: { partitionKey: 'kind', sortKey: 'lastNameKey' },
  byStatus: { partitionKey: 'statusKey', sortKey: 'id' },
  byCountry: { partitionKey: 'countryKey', sortKey: 'id' },
  byStatusAndCountry: { partitionKey: 'statusCountryKey', sortKey: 'id' },
} as const;

export type UsersIndex = keyof typeof USERS_INDEXES;
