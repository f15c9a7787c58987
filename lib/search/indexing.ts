/** Writes documents into an index, each in the order of its versions: any number of writers may do so, and however late. */
import type { Row } from '../columns/index.ts';
import { chunksOf, inParallel, unavailable } from '../ground/index.ts';
import { documentOf } from './document.ts';
import type { Answer, Engine } from './engine.ts';
import { INDEX, type Shape } from './fields.ts';

/** A row as it has become with a version, or that it is gone. Versions of a row rise. */
interface Indexed {
  id: number;
  version: number;
  row: Row | undefined;
}

/** Documents of a request: about a megabyte. The service takes ten from its smallest nodes. */
const MOST_DOCUMENTS = 500;

/** Requests at a time: an engine of two cores takes up to half as many documents again as from one. */
const REQUESTS = 4;

/** The statuses of what has been done: also of a version that is there, and of one who is gone, which a repeat finds. */
const isDone = (status: number): boolean => status < 300 || status === 404 || status === 409;

/** A document that the engine never takes. Others are tried again. */
const isRefused = (status: number): boolean => status === 400;

const linesOf = (shape: Shape, { id, version, row }: Indexed): string[] => {
  const where = { _id: String(id), version, version_type: 'external' };
  return row
    ? [JSON.stringify({ index: where }), JSON.stringify(documentOf(shape, row))]
    : [JSON.stringify({ delete: where })];
};

/** Documents go to an alias: the engine would make an index that is not there, but no alias. */
const writtenTo = (index: string): string => `${index}-written`;

/** A copy of all rows goes to an alias of its own, which ends with the copy: late documents of it are not taken. */
const copiedTo = (index: string): string => `${index}-copied`;

/** Told of a document that the engine refuses. */
type Refused = (document: string, cause: unknown) => void;

export const createIndexing = (engine: Engine, shape: Shape, onRefused: Refused, shards = 1) => ({
  /** Makes an empty index. */
  async create(index: string): Promise<void> {
    const settings = { ...INDEX.settings, number_of_shards: shards };
    await engine({
      method: 'PUT',
      path: `/${index}`,
      body: { ...INDEX, settings, aliases: { [writtenTo(index)]: {}, [copiedTo(index)]: {} } },
    });
  },

  exists: async (index: string): Promise<boolean> =>
    (await engine({ method: 'HEAD', path: `/${index}` })) !== undefined,

  /** Removes the indexes of a prefix up to some name, but one. */
  async removeUpTo(prefix: string, last: string, index: string): Promise<void> {
    const found: Answer[] = await engine({ method: 'GET', path: `/_cat/indices/${prefix}*?format=json&h=index` });
    for (const { index: name } of found ?? [])
      if (name !== index && name <= last) await engine({ method: 'DELETE', path: `/${name}` });
  },

  /**
   * Puts rows, or takes them away. A version that is not newer than the one there changes nothing. They are found after `show`.
   *
   * @param isCopy whether they are of a copy of all rows
   * @returns false if there is no such index, or its copy has ended: an index is never made by a document
   * @throws {ServiceError} 503 where some were not taken: all may be sent again
   */
  async put(index: string, rows: Iterable<Indexed>, isCopy = false): Promise<boolean> {
    const alias = isCopy ? copiedTo(index) : writtenTo(index);
    const isThere = await inParallel([...chunksOf(rows, MOST_DOCUMENTS)], REQUESTS, async (some) => {
      const body = `${some.flatMap((each) => linesOf(shape, each)).join('\n')}\n`;
      const found = await engine({ method: 'POST', path: `/${alias}/_bulk?require_alias=true`, body });
      const results: Answer[] = (found?.items ?? []).map((each: object) => Object.values(each)[0]);
      if (!found || results.some(({ error }) => error?.type === 'index_not_found_exception')) return false;
      const failed = results.filter(({ status }) => !isDone(status));
      for (const { _id, error } of failed.filter(({ status }) => isRefused(status)))
        onRefused(`The document of ${_id}`, new Error(`The index refuses it: ${error?.type}`));
      const left = failed.find(({ status }) => !isRefused(status));
      if (left) throw unavailable(`The index took not all documents: ${left.status}`);
      return true;
    });
    return isThere.every(Boolean);
  },

  /** Ends the copy of all rows. */
  async endCopy(index: string): Promise<void> {
    await engine({ method: 'DELETE', path: `/${index}/_alias/${copiedTo(index)}` });
  },

  /** Lets lists find what was put. @returns false if there is no such index */
  async show(index: string): Promise<boolean> {
    const found = await engine({ method: 'POST', path: `/${index}/_refresh` });
    if (found?._shards.failed > 0) throw unavailable('A part of the index does not show what was put');
    return found !== undefined;
  },
});
