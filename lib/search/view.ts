/** An index, as questions are asked of it: as it is, or at a point in time, when all searches are of one state. */
import type { Row } from '../columns/index.ts';
import { unavailable } from '../ground/index.ts';
import type { Answer, Engine } from './engine.ts';
import type { Shape } from './fields.ts';

/** Searches. */
export interface View {
  readonly shape: Shape;
  search(body: object): Promise<Answer>;
  close(): Promise<void>;
}

/** The engine keeps some hundred points in time. One that nobody asks, as of a HEAD, goes soon; each search keeps it for a client that reads slowly. */
const FIRST_KEPT = '1m';
const KEPT = '5m';

/** @throws {ServiceError} 503 for an answer that is not whole, and where the index is gone: another one is made, or has taken its place */
function whole(found: Answer): Answer {
  if (!found) throw unavailable('The index is gone: another one is made');
  if (found.timed_out || found._shards.failed > 0) throw unavailable('A part of the index did not answer');
  return found;
}

const WHOLE = 'allow_partial_search_results=false';

/** An index as it is. */
export const viewOf = (engine: Engine, shape: Shape, index: string): View => ({
  shape,
  search: async (body) => whole(await engine({ method: 'POST', path: `/${index}/_search?${WHOLE}`, body })),
  close: async () => {},
});

/** A point in time of an index. @throws {ServiceError} 503 if the index is gone */
export async function pointOf(engine: Engine, shape: Shape, index: string): Promise<View> {
  const path = `/${index}/_search/point_in_time?keep_alive=${FIRST_KEPT}&allow_partial_pit_creation=false`;
  const { pit_id: id } = whole(await engine({ method: 'POST', path }));
  return {
    shape,
    search: async (body) => {
      const pit = { id, keep_alive: KEPT };
      return whole(await engine({ method: 'POST', path: `/_search?${WHOLE}`, body: { ...body, pit } }));
    },
    close: async () =>
      void (await engine({ method: 'DELETE', path: '/_search/point_in_time', body: { pit_id: [id] } })),
  };
}

export const rowsIn = ({ shape }: View, found: Answer): Row[] =>
  found.hits.hits.map(({ _id, _source }: Answer) => shape.read(Number(_id), _source.row));
