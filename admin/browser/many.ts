import { ask, type EditResult, edit, type Page } from './connection.ts';
import { may } from './session.ts';
import { tell } from './state.ts';
import { counted, numberOf } from './time.ts';

/** So many of those who could not be changed are named. */
const NAMED = 3;

/** What is true of one, or of several. */
type Done = readonly [one: string, several: string];

export const BACK: Done = ['is as before', 'are as before'];

/** "2 users are as before, 1 not: Ann Lee (The user has changed since the edit)" */
async function said({ changed, failed }: EditResult, done: Done): Promise<string> {
  const did = `${counted(changed, 'user')} ${done[changed === 1 ? 0 : 1]}`;
  if (failed.length === 0) return did;
  const named = failed.slice(0, NAMED);
  const query = { id: named.map(({ id }) => id), fields: 'name' };
  const { content }: Page = await (await ask('GET', '', { query })).json();
  const names = new Map(content.map(({ id, name }) => [id, name]));
  const others = named.map(({ id, message }) => `${names.get(id) ?? id} (${message})`).join(', ');
  return `${did}, ${numberOf(failed.length)} not: ${others}${failed.length > NAMED ? ' …' : ''}`;
}

/** Runs an edit, or the undo of one, and says what it has done. @param onShare is told what it does meanwhile */
export async function runMany(
  path: string,
  asked: Parameters<typeof edit>[1],
  done: Done,
  onShare: (share: number) => void,
): Promise<void> {
  const result = await edit(path, asked, ({ changed, unchanged, failed, left }) => {
    const begun = changed + unchanged + failed.length;
    onShare(begun / (begun + left || 1));
  });
  const undo = async () => said(await edit(`/edits/${result.edit}/undo`, {}), BACK);
  tell(await said(result, done), may('users:audit') ? undo : undefined);
}
