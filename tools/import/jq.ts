/** The commands of jq that make lines of a document. */

export const commandOf = (filter: string): string => `jq -c '${filter}' users.json > users.ndjson`;

export const lineOf = (filter: string): string =>
  `If it is one JSON document, this makes one object per line of it:\n${commandOf(filter)}`;

/**
 * For a document that nobody has looked into. Takes what it calls its users, else the list of objects that is nearest to its root, else the
 * document itself.
 */
export const FOR_A_DOCUMENT = lineOf(
  '(.users? // .Users? // getpath([paths(objects) | select(last == 0)[:-1]] | min_by(length) // empty) // [.])[]',
);
