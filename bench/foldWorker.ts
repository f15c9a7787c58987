/** The thread of the fold. It has its own client, as the function has. The environment names the store. */
import { type FoldHandler, foldForEver } from '../tools/local/foldTimer.ts';
import { muteLog } from './handlers.ts';

muteLog();
const { handler } = await import('../functions/fold.ts');
await foldForEver(() => handler as FoldHandler);
