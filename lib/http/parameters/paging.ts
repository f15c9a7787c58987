/** Where a list begins, and where it ends. */
import { badParameter } from '../../users/errors.ts';
import { MAX_ID } from '../../users/ids.ts';
import { INTEGER, type Parameter, readInteger, readOptional, toInt64 } from './parameter.ts';

const MAX_PAGE = 2_147_483_647;

export const page: Parameter<number> = {
  name: 'page',
  says: 'Number of the page, counted from 0; 0 if not given.',
  schema: { ...INTEGER, minimum: 0, maximum: MAX_PAGE },
  read(event) {
    const number = readInteger(event, 'page', 0);
    if (!(number >= 0 && number <= MAX_PAGE)) throw badParameter(`page must be an integer from 0 to ${MAX_PAGE}`);
    return number;
  },
};

/** How many of what a page has. Above the most it means the most. */
export const sizeOf = (what: string, otherwise: number, most: number, component?: string): Parameter<number> => ({
  name: 'size',
  says: `${what} per page: ${otherwise === most ? `${most} if not given, or if more is asked for` : `${otherwise} if not given, ${most} if more is asked for`}.`,
  schema: { ...INTEGER, minimum: 1 },
  ...(component !== undefined && { component }),
  read(event) {
    const size = readInteger(event, 'size', otherwise);
    if (!(size >= 1)) throw badParameter(`size must be an integer from 1 to ${most}`);
    return Math.min(size, most);
  },
});

export const size = sizeOf('Users', 20, 100);

/** The id after which a batch begins. Without a cursor it is 0, which is before all ids. */
export const cursor: Parameter<number> = {
  name: 'cursor',
  says: 'Only users with a higher id; 0 if blank or not given.',
  schema: INTEGER,
  read(event) {
    const id = toInt64(readOptional(event, 'cursor') ?? '0', 'cursor');
    if (id < 0n) return 0;
    // One less than the largest id: the next number is still an id.
    return id >= BigInt(MAX_ID) ? MAX_ID - 1 : Number(id);
  },
};

/** The token of a walk; undefined at its beginning. */
export const after: Parameter<string | undefined> = {
  name: 'after',
  component: 'Place',
  says: 'The place behind which users are read, as the link `next` has it, or blank for the beginning. It reads a list in its order to the end while others write. The response is an array.',
  schema: { type: 'string' },
  read: (event) => readOptional(event, 'after'),
};
