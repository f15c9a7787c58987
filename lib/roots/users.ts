/** The composition root of functions that read and write single users. */
import { createUserStore } from '../users/store.ts';
import { database } from './database.ts';

export const users = createUserStore(database);
