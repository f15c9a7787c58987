import { test } from 'vitest';
import { race } from '../support/fake/race.ts';
import { FakeStore } from '../support/fake/store.ts';
import { Answers } from '../support/fake/answers.ts';
import { toHead } from '../../lib/users/journal/head.ts';
import { parseKey } from '../support/zz.ts';
const LOW = { batchEntries: 4, deltaCharacters: 60, partBytes: 300, mergeLeast: 5, mergeShare: 0.2 };
test('x', async () => {
  const log: string[] = [];
  let clock = () => 0;
  const proto = FakeStore.prototype as any;
  const apply = proto.apply;
  proto.apply = function (c: any) {
    const it = c.after ?? c.before;
    if (it?.pk === 'journal') {
      if (it.sk === '#head') { const h = c.after && toHead(c.after); log.push(`${(this as any).now?.()} HEAD ${h ? `${h.line} e${h.epoch % 1e7} tag ${h.tag.toString(16)} batch ${h.batch.map(parseKey)} base ${h.base?.name}` : 'LOST'}`); }
      else log.push(`   ${c.after ? 'put' : 'del'} ${parseKey(it.sk)}`);
    }
    return apply.call(this, c);
  };
  const check = (Answers.prototype as any).check;
  (Answers.prototype as any).check = function (t: string, a: any, b: number, u: number) { clock = this.course.scheduler.now; log.push(`   ANSWER ${t.slice(0, 2)} ${a.tag} before ${b} until ${u} ahead ${[...(this.ahead.get(a.tag.split('-')[0]) ?? [])].map((x: number) => x.toString(16))}`); return check.call(this, t, a, b, u); };
  try {
    await race({ limits: LOW, jumps: 6, writes: 16, reads: 16, pauseMs: 8_000, losses: 2, seed: Number(process.env.S), ...JSON.parse(process.env.O ?? '{}') });
  } catch (e) { console.log(log.slice(-Number(process.env.N ?? 80)).join('\n')); throw e; }
});
