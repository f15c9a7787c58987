/**
 * Changes of many users, in two steps: a preview, and the change as it was previewed. The name of a preview is its moment and a digest of all that
 * was previewed, so nothing is kept in between. A change counts once more, within the limits of the agent and of the deployer.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { numberIn, outcomeOf, withNumber } from './answers.ts';
import { type Api, Refusal } from './api.ts';
import type { change, filters } from './inputs.ts';

/** The most that a change may touch and cost, whatever an agent says. */
export interface Limits {
  users: number;
  dollars: number;
}

/** The most that a call may touch and cost. */
export interface Most {
  maxUsers: number;
  maxDollars: number;
}

export interface Wanted {
  filters: z.infer<typeof filters>;
  change: z.infer<typeof change>;
}

/** For how many milliseconds a preview can be applied. Above, it is refused. */
const PREVIEW_KEPT_MS = 3_600_000;

/** JSON with the members of each object by name: the same object in another order has the same. */
const canonical = (given: unknown): string =>
  JSON.stringify(given, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** The name of a preview. */
const nameOf = (previewed: unknown, at: number): string =>
  `preview-${at.toString(36)}-${createHash('sha256')
    .update(canonical([previewed, at]))
    .digest('hex')
    .slice(0, 16)}`;

/** @throws {Refusal} for the name of another preview, or of one that is too old */
function refuseOthers(name: string, asked: unknown, others: string): void {
  const at = Number.parseInt(name.split('-')[1] ?? '', 36);
  if (name !== nameOf(asked, at)) throw new Refusal(400, others);
  if (Date.now() - at > PREVIEW_KEPT_MS) throw new Refusal(410, 'The preview is older than an hour: make another one');
}

/** The most users that may be touched. @throws {Refusal} 409 if a preview is beyond it */
function within(preview: Record<string, unknown>, { maxUsers, maxDollars }: Most, limits: Limits): number {
  const [total, dollars] = [numberIn(preview, 'total'), numberIn(preview, 'dollars')];
  const [users, price] = [Math.min(maxUsers, limits.users), Math.min(maxDollars, limits.dollars)];
  // A limit that is no number allows nothing.
  if (!(total <= users && dollars <= price))
    throw new Refusal(409, `${total} users for ${dollars} dollars are more than ${users} for ${price}, the limit`);
  return users;
}

const askPreview = async (ask: Api, { filters: given, change: asked }: Wanted) =>
  withNumber(await ask('POST', '/edits', given, { ...asked, dryRun: true }), 'total');

export async function previewChange(ask: Api, asked: Wanted, limits: Limits): Promise<object> {
  return { edit: nameOf(asked, Date.now()), ...(await askPreview(ask, asked)), limits };
}

const OTHERS = 'The edit is not that of a preview with these filters and this change';

export async function applyChange(
  ask: Api,
  { edit, maxUsers, maxDollars, ...asked }: Wanted & Most & { edit: string },
  limits: Limits,
): Promise<object> {
  refuseOthers(edit, asked, OTHERS);
  const atMost = within(await askPreview(ask, asked), { maxUsers, maxDollars }, limits);
  return outcomeOf(await ask('POST', '/edits', asked.filters, { ...asked.change, atMost }, edit));
}

/** A name that edits may have, and none has: theirs are random. */
const NO_EDIT = '0000000000000000';

/** A stage that does not read the body of an undo would undo at once. So it gets a wrong body first, for an edit that is none. */
async function refuseOlder(ask: Api): Promise<void> {
  const refusal = await ask('POST', `/edits/${NO_EDIT}/undo`, {}, { dryRun: 'no' }).catch((error: unknown) => error);
  if (!(refusal instanceof Refusal)) throw refusal;
  if (refusal.status === 404) throw new Refusal(404, 'This stage is older than the door, and cannot preview an undo');
  if (refusal.status !== 400) throw refusal;
}

/** @throws {Refusal} for an undo: it would do again what somebody has taken back */
function refuseUndo(edit: string): void {
  if (edit.endsWith('-undo'))
    throw new Refusal(
      400,
      `${edit} is an undo: to take it back would make its change again. Preview that change instead`,
    );
}

async function askUndo(ask: Api, edit: string): Promise<Record<string, unknown>> {
  refuseUndo(edit);
  await refuseOlder(ask);
  return withNumber(await ask('POST', `/edits/${edit}/undo`, {}, { dryRun: true }), 'total');
}

export async function previewUndo(ask: Api, { edit }: { edit: string }, limits: Limits): Promise<object> {
  return { preview: nameOf({ undo: edit }, Date.now()), ...(await askUndo(ask, edit)), limits };
}

export async function undoChange(
  ask: Api,
  { edit, preview, ...most }: Most & { edit: string; preview: string },
  limits: Limits,
): Promise<object> {
  refuseUndo(edit);
  refuseOthers(preview, { undo: edit }, 'The preview is not that of preview_undo with this edit');
  const atMost = within(await askUndo(ask, edit), most, limits);
  return outcomeOf(await ask('POST', `/edits/${edit}/undo`, {}, { atMost }));
}
