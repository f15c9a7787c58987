import type { DataProvider, GetListParams, Identifier } from 'react-admin';
import { filtersOf } from './filters.ts';

/** Of the resource `users`. `tokenOf` gives the token of each request. */
export function createDataProvider(url: string, tokenOf: () => string | Promise<string> = () => ''): DataProvider {
  async function send(method: string, path: string, fields?: object, etag?: string) {
    const token = await tokenOf();
    const headers = {
      accept: 'application/json, application/problem+json',
      ...(fields && { 'content-type': 'application/json' }),
      ...(etag && { 'if-match': etag }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const init = { method, headers, ...(fields && { body: JSON.stringify(fields) }) };
    const response = await fetch(`${url}/api/${path}`, init);
    const json = JSON.parse((await response.text()) || '{}');
    if (response.ok) return { json, record: { ...json, etag: response.headers.get('etag') } };
    const failures = json.errors?.map(({ pointer, detail }: Record<string, string>) => [pointer?.slice(1), detail]);
    const body = { ...json, errors: failures && Object.fromEntries(failures) }; // Forms show them at their inputs.
    throw Object.assign(new Error(json.detail ?? json.message), { status: response.status, body });
  }
  async function list(resource: string, { pagination, sort, filter }: GetListParams) {
    const { page, perPage } = pagination ?? { page: 1, perPage: 100 };
    const size = Math.min(perPage, 100);
    const query = new URLSearchParams([...filtersOf(filter), ['size', String(size)]]);
    if (sort) query.set('sort', `${sort.field},${sort.order}`);
    const data = [];
    for (let number = ((page - 1) * perPage) / size; ; number++) {
      query.set('page', String(number));
      const { json } = await send('GET', `${resource}?${query}`);
      data.push(...json.content);
      if (json.last || data.length >= perPage) return { data: data.slice(0, perPage), total: json.totalElements };
    }
  }
  async function each(ids: Identifier[], write: (id: Identifier) => Promise<unknown>) {
    for (const id of ids) await write(id);
    return { data: [...ids] };
  }
  return {
    getList: list,
    getOne: async (resource, { id }) => ({ data: (await send('GET', `${resource}/${id}`)).record }),
    async getMany(resource, { ids }) {
      const data = [];
      for (let at = 0; at < ids.length; at += 100)
        data.push(...(await list(resource, { filter: { id: ids.slice(at, at + 100) } })).data);
      return { data };
    },
    getManyReference: (resource, { target, id, filter, ...rest }) =>
      list(resource, { ...rest, filter: { ...filter, [target]: id } }),
    create: async (resource, { data }) => ({ data: (await send('POST', resource, data)).record }),
    async update(resource, { id, data, previousData: { etag, ...before } = {} }) {
      const isNew = ([key, value]: [string, unknown]) => key !== 'etag' && (value ?? null) !== (before[key] ?? null);
      const changes = Object.entries(data)
        .filter(isNew)
        .map(([key, value]) => [key, value ?? null]);
      return { data: (await send('PATCH', `${resource}/${id}`, Object.fromEntries(changes), etag)).record };
    },
    updateMany: (resource, { ids, data }) => each(ids, (id) => send('PATCH', `${resource}/${id}`, data)),
    async delete(resource, { id, previousData }) {
      const { json } = await send('DELETE', `${resource}/${id}`, undefined, previousData?.etag);
      return { data: { ...json, id } };
    },
    deleteMany: (resource, { ids }) => each(ids, (id) => send('DELETE', `${resource}/${id}`)),
  };
}
