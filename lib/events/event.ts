import type { Change } from '../../schemas/changes.ts';
import type { ShownChange } from '../changes/shown.ts';
import { representChange } from '../http/response/changes.ts';

const SOURCE = 'user-management';

const DETAIL_TYPES = { created: 'User created', updated: 'User updated', deleted: 'User deleted' } as const;

/** A change as an event, with the members that EventBridge delivers. */
export interface ChangeEvent {
  source: typeof SOURCE;
  'detail-type': (typeof DETAIL_TYPES)[ShownChange['type']];
  /** The moment of the write. */
  time: string;
  /** The change as `/api/users/changes` shows it. */
  detail: Change;
}

export function toEvent(change: ShownChange): ChangeEvent {
  const detail = representChange(change);
  return { source: SOURCE, 'detail-type': DETAIL_TYPES[change.type], time: detail.at, detail };
}
