import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../errors.ts';
import type { Edit } from '../../users/edits/edits.ts';
import type { Filters } from '../../users/filters.ts';
import type { Origin } from '../../users/journal/entry.ts';
import { EDITS } from '../listingRules.ts';
import { JSON_TYPE } from '../mediaTypes.ts';
import type { BodyRules } from './body.ts';
import { originOf } from './caller.ts';
import { readIdempotencyKey } from './idempotencyKey.ts';
import { type Patch, readMergePatch } from './patch.ts';
import { readFilters } from './queries.ts';
import { createValidator } from './validation.ts';
import { isEditInput } from './validators.ts';

/** What becomes of each user. */
interface EditBody {
  /** Undefined: it is deleted. */
  apply: Patch | undefined;
  atMost: number;
  isDryRun: boolean;
  edit: string | undefined;
  isOfEverybody: boolean;
  /** What must be the same in all calls. */
  text: string;
}

const refused = (message: string): ServiceError => new ServiceError('validation', message);

const checkEdit = createValidator(isEditInput);

/** @throws {ServiceError} 400 when it says nothing that can be done */
function readBody(body: unknown): EditBody {
  const { patch, delete: isDelete, dryRun, atMost, edit, everybody } = checkEdit(body);
  if ((isDelete ?? false) === Boolean(patch)) throw refused('Request body must have patch, or "delete": true');
  if (dryRun && edit) throw refused('dryRun cannot be combined with edit');
  if (!dryRun && !atMost)
    throw refused('atMost is required: how many users may be changed. With "dryRun": true the answer says who match');
  return {
    apply: patch ? readMergePatch(patch) : undefined,
    atMost: atMost ?? 0,
    isDryRun: dryRun ?? false,
    edit: edit ?? undefined,
    isOfEverybody: everybody ?? false,
    text: JSON.stringify({ patch, atMost }),
  };
}

export const editBody: BodyRules<EditBody> = { readers: { [JSON_TYPE]: readBody } };

interface EditParameters {
  filters: Filters;
  /** The filters as they were sent, in an order of their own. */
  text: string;
  key: string | undefined;
  origin: Origin;
}

/** @throws {ServiceError} 400 for the first filter or header that is not valid */
export function readEditParameters(event: APIGatewayProxyEvent): EditParameters {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  const named = given.map(([name, values]) => [name, (values ?? []).filter((value) => value !== '').sort()]);
  const text = JSON.stringify(named.filter(([, values]) => values?.length).sort());
  return { filters: readFilters(event, EDITS), text, key: readIdempotencyKey(event), origin: originOf(event) };
}

/** @throws {ServiceError} 400 without a filter, unless everybody is meant */
export function toEdit(body: EditBody, { filters, text, key, origin }: EditParameters): Edit {
  const isOfAll = Object.values(filters).every((value) => value === undefined);
  if (isOfAll && !body.isOfEverybody)
    throw refused('Without a filter this is an edit of all users: it needs "everybody": true');
  const hash = createHash('sha256').update(`${text}\n${body.text}`).digest('base64url');
  return { filters, apply: body.apply, hash, atMost: body.atMost, name: body.edit, key, ...origin };
}
