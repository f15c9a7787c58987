import { expect, test } from 'vitest';
import { serviceOn } from '../support/service.ts';
import { expectPage } from '../support/questions.ts';
import { usersOf } from '../support/fake/steps.ts';
import { verify } from '../../lib/users/verify/verify.ts';
test('x', async () => {
  const s = serviceOn.memory({ limits: { batchEntries: 5, partBytes: 100, deltaCharacters: 40, mergeLeast: 6, mergeShare: 0.1 }, itemsPerPage: 3 });
  for (let i = 0; i < 5; i++) {
    await s.users.createMany(Array.from({ length: 12 }, (_, n) => ({ name: `a${n}`, lastName: 'x'.repeat(n) })));
    if (i > 0) await expectPage(s.listing, usersOf(s.store), {});
    console.log(await s.fold());
    s.pass(700_000);
    await expectPage(s.listing, usersOf(s.store), { keyword: 'xx' });
    await expectPage(s.processOf((_, e) => e()).listing, usersOf(s.store), { keyword: 'xx' });
    console.log(s.store.itemsOf('directory').map(({ pk, sk }) => `${pk} ${sk}`));
  }
  console.log(await verify(s.database));
});
