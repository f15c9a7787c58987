import { Button } from './Button.tsx';
import { counted } from './Costs.tsx';
import type { Connection, EditResult, Page } from './connection.ts';
import { useShared } from './shared.ts';
import { numberOf } from './time.ts';
import { useSaving } from './useSaving.tsx';

/** So many of those who could not be changed are named. */
const NAMED = 3;

/** What is true of one, or of several. */
type Done = readonly [one: string, several: string];

const BACK: Done = ['is as before', 'are as before'];

/** "2 users are as before, 1 not: Ann Lee (The user has changed since the edit)" */
async function said(connection: Connection, { changed, failed }: EditResult, done: Done): Promise<string> {
  const did = `${counted(changed, 'user')} ${done[changed === 1 ? 0 : 1]}`;
  if (failed.length === 0) return did;
  const named = failed.slice(0, NAMED);
  const query = { id: named.map(({ id }) => id), fields: 'name' };
  const { content }: Page = await (await connection.ask('GET', '', { query })).json();
  const names = new Map(content.map(({ id, name }) => [id, name]));
  const others = named.map(({ id, message }) => `${names.get(id) ?? id} (${message})`).join(', ');
  return `${did}, ${numberOf(failed.length)} not: ${others}${failed.length > NAMED ? ' …' : ''}`;
}

/** Runs an edit, or the undo of one, and says what it has done, and what it does meanwhile. */
export function useMany(onDone: () => void) {
  const { connection, session, tell } = useShared();
  const { attempt, isSaving, progress } = useSaving(onDone);
  const undoneBy = async (path: string) => said(connection, await connection.edit(path, {}), BACK);

  return {
    isSaving,
    progress,
    run: (path: string, asked: Parameters<Connection['edit']>[1], done: Done) =>
      attempt(async (onShare) => {
        const result = await connection.edit(path, asked, ({ changed, unchanged, failed, left }) => {
          const begun = changed + unchanged + failed.length;
          onShare(begun / (begun + left || 1));
        });
        const undo = () => undoneBy(`/edits/${result.edit}/undo`);
        tell(await said(connection, result, done), session.may('users:audit') ? undo : undefined);
        return true;
      }),
  };
}

/** Takes back what an edit has done, also long after it. */
export function UndoMany({ edit }: { edit: string }) {
  const { run, isSaving, progress } = useMany(() => undefined);
  const undo = () => run(`/edits/${edit}/undo`, {}, BACK);
  return (
    <div>
      <Button text="Undo this change of many" class="outline small" disabled={isSaving} onClick={undo} />
      {progress}
    </div>
  );
}
