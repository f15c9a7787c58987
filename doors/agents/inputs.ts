import { z } from 'zod';

/** Parameters of lists that are no filters: as one of them a member would change the answer, and filter nothing. */
const BESIDE = ['page', 'size', 'sort', 'fields', 'by', 'after', 'cursor', 'at', 'attributes'];

/** Names that the service ignores, because others add them to addresses. */
const IGNORED = /^(?:_|utm_|gclid$|fbclid$)/;

const EMPTY = 'an empty text or list is no filter, and would meet everybody: give it a value, or leave it out';
const KINDS =
  'must be a text, a number, true, false or a list of them, and the name of an attribute "attributes.<name>"';

const plain = [z.string().min(1, EMPTY), z.number(), z.boolean()] as const;
const filterValue = z.union([...plain, z.array(z.union(plain, KINDS)).min(1, EMPTY)], KINDS);

/** The reason for which a filter would not be one. */
function faultOf(name: string, value: z.infer<typeof filterValue>): string | undefined {
  if (name === 'attributes') return 'is no filter: "attributes.<name>" is';
  if (BESIDE.includes(name)) return 'is no filter: it belongs beside the filters, if the tool has it';
  if (name.trim() === '' || IGNORED.test(name)) return 'is no filter';
  if (name === 'q' && String(value).trim() === '') return EMPTY;
  return undefined;
}

export const filters = z
  .record(z.string(), filterValue)
  .default({})
  .superRefine((given, { addIssue }) => {
    for (const [name, value] of Object.entries(given)) {
      const message = faultOf(name, value);
      if (message) addIssue({ code: 'custom', path: [name], message });
    }
  })
  .describe(`Filters by name, all of which must hold; of a list any:
{"status": "active", "email.endsWith": "@acme.com", "createdAt.gte": "-P7D", "age.lt": 30, "country.missing": true, "attributes.team": ["a", "b"],
"q": "ann lee"}. Fields: id, name, email, age, firstName, lastName, status, country, externalId, createdAt, updatedAt, attributes.<name>.
Endings: .not .startsWith .endsWith .contains .gte .gt .lte .lt .missing. Bounds of dates: 2026-11-01, or -P7D, a duration before now.
Values of status and country are codes, compared exactly, such as DE for Germany: count_users by the field lists those in use`);

const lists = z.strictObject({ attributes: z.record(z.string(), z.array(z.string())) }).optional();
const member = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

export const change = z.strictObject({
  patch: z
    .record(z.string(), z.union([member, z.record(z.string(), member)]))
    .optional()
    .describe(
      'A JSON merge patch of a user, such as {"status": "left", "attributes": {"team": null}}; null takes a value away',
    ),
  add: lists.describe('Texts that lists get: {"attributes": {"tags": ["vip"]}}'),
  remove: lists.describe('Texts that lists lose'),
  delete: z.literal(true).optional().describe('Deletes the users'),
  everybody: z.literal(true).optional().describe('Needed without a filter'),
});

/** Of a user. Many ids are beyond what some clients write as a number. */
export const id = z.union([z.int(), z.string().regex(/^-?\d{1,19}$/, 'must be an integer')], 'must be an integer');

/** Of a parameter that the service would take for absent if it were blank. */
export const text = z.string().regex(/\S/, 'is blank: leave it out');

export const size = z.int().min(1).max(100).default(20);
