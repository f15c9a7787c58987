import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Api, Refusal } from './api.ts';

/** The most that a change may touch and cost, whatever an agent says. */
export interface Limits {
  users: number;
  dollars: number;
}

/** For how many milliseconds a preview can be applied. Above, it is refused. */
const PREVIEW_KEPT_MS = 3_600_000;

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const filters = z
  .record(z.string(), value)
  .default({})
  .describe(`Filters by name, all of which must hold; of an array any:
{"status": "active", "email.endsWith": "@acme.com", "createdAt.gte": "-P7D", "age.lt": 30, "country.missing": true, "attributes.team": ["a", "b"],
"q": "ann lee"}. Endings: .not .startsWith .endsWith .contains .gte .gt .lte .lt .missing`);

const lists = z.strictObject({ attributes: z.record(z.string(), z.array(z.string())) }).optional();
const member = z.union([value, z.null()]);
const change = z.strictObject({
  patch: z
    .record(z.string(), z.union([member, z.record(z.string(), member)]))
    .optional()
    .describe('A JSON merge patch of a user; null takes a value away'),
  add: lists.describe('Texts that lists get: {"attributes": {"tags": ["vip"]}}'),
  remove: lists.describe('Texts that lists lose'),
  delete: z.literal(true).optional().describe('Deletes the users'),
  everybody: z.literal(true).optional().describe('Needed without a filter'),
});
const wanted = { filters, change };
const size = z.int().min(1).max(100).default(20);

type Wanted = z.infer<z.ZodObject<typeof wanted>>;

const preview = (ask: Api, { filters: given, change: asked }: Wanted) =>
  ask('POST', '/edits', given, { ...asked, dryRun: true });

/** The edit of a preview: its moment, and a digest of what was previewed. */
const editOf = ({ filters: given, change: asked }: Wanted, at: number): string =>
  `preview-${at.toString(36)}-${createHash('sha256')
    .update(JSON.stringify([given, asked, at]))
    .digest('hex')
    .slice(0, 16)}`;

/** @throws {Refusal} when an edit is not that of a preview of the same filters and change, or too old */
function refuseOthers(edit: string, asked: Wanted): void {
  const at = Number.parseInt(edit.split('-')[1] ?? '', 36);
  if (edit !== editOf(asked, at))
    throw new Refusal(400, 'The edit is not that of a preview with these filters and this change');
  if (Date.now() - at > PREVIEW_KEPT_MS) throw new Refusal(410, 'The preview is older than an hour: make another one');
}

type Run<Taken> = (ask: Api, taken: Taken, limits: Limits) => Promise<object>;

/** A tool, for those who may do what it needs. */
const tool = <Shape extends z.ZodRawShape>(
  needs: 'read' | 'audit' | 'write',
  name: string,
  description: string,
  shape: Shape,
  run: Run<z.infer<z.ZodObject<Shape>>>,
) => ({ needs, name, description, inputSchema: z.strictObject(shape), run: run as Run<unknown> });

export const TOOLS = [
  tool(
    'read',
    'find_users',
    'Finds users: the exact total, and a page of users',
    {
      filters,
      sort: z.string().optional().describe('Such as "lastName" or "createdAt,desc"'),
      page: z.int().min(0).default(0),
      size,
      fields: z.string().default('name,email,status').describe('Such as "name,attributes.team"; id is always there'),
    },
    async (ask, { filters: given, ...rest }) => {
      const { content, totalElements, totalPages } = await ask('GET', '', { ...given, ...rest });
      const more = rest.page + 1 < totalPages ? `Ask for page ${rest.page + 1}, of ${totalPages} from 0 on` : 'No more';
      return { total: totalElements, users: content, more };
    },
  ),
  tool(
    'read',
    'count_users',
    'Counts users by one or two fields, such as "status,country", "createdAt.week" or "attributes.team"',
    { by: z.string(), filters },
    (ask, { by, filters: given }) => ask('GET', '/counts', { ...given, by }),
  ),
  tool(
    'read',
    'get_user',
    'A user with all fields; with "at" as of a moment, such as 2026-11-01',
    { id: z.int(), at: z.string().optional() },
    (ask, { id, ...rest }) => ask('GET', `/${id}`, rest),
  ),
  tool(
    'audit',
    'user_history',
    'The changes of a user, or of all without "id", newest first, with who made them. More: "before", by the last version, or by next',
    { id: z.int().optional(), before: z.union([z.string(), z.int()]).optional(), size },
    (ask, { id, before, ...rest }) =>
      id === undefined
        ? ask('GET', '/changes', { before: before ?? 'now', ...rest })
        : ask('GET', `/${id}/changes`, { before, ...rest }),
  ),
  tool(
    'write',
    'preview_change',
    'Shows who would be changed, and the price. Writes nothing. apply_change needs its "edit"',
    wanted,
    async (ask, asked, limits) => ({ edit: editOf(asked, Date.now()), ...(await preview(ask, asked)), limits }),
  ),
  tool(
    'write',
    'apply_change',
    'Makes a change, as it was previewed. Send the same again while "left" is above 0. Its answer has the edit for undo_change',
    {
      edit: z.string().describe('Of the preview with the same filters and change'),
      ...wanted,
      maxUsers: z.int().min(1).describe('Refused if more users match'),
      maxDollars: z.number().min(0).describe('Refused if it costs more'),
    },
    async (ask, { edit, maxUsers, maxDollars, ...asked }, limits) => {
      refuseOthers(edit, asked);
      const { total, dollars } = await preview(ask, asked);
      const [users, price] = [Math.min(maxUsers, limits.users), Math.min(maxDollars, limits.dollars)];
      // A limit that is no number allows nothing.
      if (!(total <= users && dollars <= price))
        throw new Refusal(409, `${total} users for ${dollars} dollars are more than ${users} for ${price}, the limit`);
      return ask('POST', '/edits', asked.filters, { ...asked.change, atMost: users }, edit);
    },
  ),
  tool(
    'write',
    'undo_change',
    'Gives users their values from before an edit. Send it again while "left" is above 0',
    { edit: z.string().regex(/^[\w-]+$/) },
    (ask, { edit }) => ask('POST', `/edits/${edit}/undo`),
  ),
];
