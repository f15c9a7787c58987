import { MAX_VERSION } from '../../lib/users/journal/entry.ts';
export const parseKey = (sk: string) => `${Number(sk.slice(0, -12)) % 100000}v${MAX_VERSION - Number(sk.slice(-12))}`;
