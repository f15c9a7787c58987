import { toFailure } from './connection.ts';
import { say, type Undo } from './state.ts';

/** Takes something back, which says so itself, or says why not. */
export async function takeBack(undo: Undo): Promise<void> {
  say('It is taken back …');
  await undo().catch((error: unknown) => say(`Not taken back: ${toFailure(error).message}`, undo));
}
