import { z } from 'zod';
import { largestOf, listIn, listOf, numberIn, withNumber } from './answers.ts';
import type { Api } from './api.ts';
import { applyChange, type Limits, previewChange, previewUndo, undoChange } from './changes.ts';
import { change, filters, id, size, text } from './inputs.ts';

const wanted = { filters, change };
const most = {
  maxUsers: z.int().min(1).describe('Refused if it is of more users'),
  maxDollars: z.number().min(0).describe('Refused if it costs more'),
};
const undone = {
  edit: z
    .string()
    .regex(/^[\w-]+$/)
    .describe('As apply_change or user_history names it'),
};

type Run<Taken> = (ask: Api, taken: Taken, limits: Limits) => Promise<object>;

export type Scope = 'read' | 'audit' | 'write';

/** A tool, for those who have these scopes. */
const tool = <Shape extends z.ZodRawShape>(
  needs: readonly Scope[],
  name: string,
  description: string,
  shape: Shape,
  run: Run<z.infer<z.ZodObject<Shape>>>,
) => ({ needs, name, description, inputSchema: z.strictObject(shape), run: run as Run<unknown> });

export const TOOLS = [
  tool(
    ['read'],
    'find_users',
    'Finds users: the exact total, and a page of users',
    {
      filters,
      sort: text
        .optional()
        .describe(
          'Such as "lastName" or "createdAt,desc". A missing value is last, and with desc first: for the five oldest also filter {"age.missing": false}',
        ),
      page: z.int().min(0).default(0),
      size,
      fields: text.default('name,email,status').describe('Such as "name,attributes.team"; id is always there'),
    },
    async (ask, { filters: given, ...rest }) => {
      const answer = await ask('GET', '', { ...given, ...rest });
      const pages = numberIn(answer, 'totalPages');
      const more = rest.page + 1 < pages ? `Ask for page ${rest.page + 1}, of ${pages} from 0 on` : 'No more';
      const { advice } = answer;
      return {
        total: numberIn(answer, 'totalElements'),
        users: listIn(answer, 'content'),
        more,
        ...(advice ? { advice } : {}),
      };
    },
  ),
  tool(
    ['read'],
    'count_users',
    'Counts users by one or two fields, such as "status,country", "createdAt.week" or "attributes.team": all values in use, the largest group first',
    { by: text, filters },
    async (ask, { by, filters: given }) => largestOf(await ask('GET', '/counts', { ...given, by })),
  ),
  tool(
    ['read'],
    'get_user',
    'A user with all fields; with "at" as of a moment, such as 2026-11-01',
    { id, at: text.optional() },
    async (ask, { id: of, ...rest }) => withNumber(await ask('GET', `/${of}`, rest), 'id'),
  ),
  tool(
    ['audit'],
    'user_history',
    'The changes of a user, or of all without "id", newest first, with who made them. More: "before", by the last version, or by next',
    { id: id.optional(), before: z.union([text, z.int()]).optional(), size },
    async (ask, { id: of, before, ...rest }) => {
      if (of !== undefined) return listOf(await ask('GET', `/${of}/changes`, { before, ...rest }));
      const answer = await ask('GET', '/changes', { before: before ?? 'now', ...rest });
      listIn(answer, 'changes');
      return answer;
    },
  ),
  tool(
    ['write'],
    'preview_change',
    'Shows who would be changed, and the price. Writes nothing. apply_change needs its "edit". "notDates" are values that are no dates, and meet no bound',
    wanted,
    previewChange,
  ),
  tool(
    ['write'],
    'apply_change',
    'Makes a change, as it was previewed. Send the same again while "left" is above 0. Its answer has the edit for preview_undo',
    {
      edit: z.string('must be that of preview_change').describe('Of preview_change with the same filters and change'),
      ...wanted,
      ...most,
    },
    applyChange,
  ),
  tool(
    ['write', 'audit'],
    'preview_undo',
    'Shows who would get their values from before an edit, and the price. Writes nothing. undo_change needs its "preview"',
    undone,
    previewUndo,
  ),
  tool(
    ['write', 'audit'],
    'undo_change',
    'Gives users their values from before an edit, as it was previewed. Send the same again while "left" is above 0',
    {
      ...undone,
      preview: z.string('must be that of preview_undo').describe('Of preview_undo with the same edit'),
      ...most,
    },
    undoChange,
  ),
];
