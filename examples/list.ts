import { api, readArguments } from './client.ts';

readArguments('node list.ts', 0);
const query = { status: ['active'], sort: ['lastName,desc'], page: 1, size: 2 };
const { data, error } = await api.GET('/api/users', { params: { query } });
if (!data) throw new Error(JSON.stringify(error));
console.log(data.totalElements, data.totalPages, ...data.content.map(({ name }) => name));
