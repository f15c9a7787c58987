import { ChangeList } from './ChangeList.tsx';
import { Doings } from './Doings.tsx';
import { createFeed } from './feed.ts';
import { shared } from './state.ts';
import { useReading } from './useReading.tsx';
import { useMedia } from './useWindow.ts';

/** Lines on a phone, in a usual window, and in a tall one. */
const LINES = { phone: 6, usual: 9, tall: 15 };

/** Changes that are looked at for them: where a change of many is longer, the lines before it are all. */
const MOST = 300;

/** The last changes. */
export function LastChanges() {
  const isPhone = useMedia('(width <= 48rem)');
  const isTall = useMedia('(height >= 60rem)');
  const most = isPhone ? LINES.phone : isTall ? LINES.tall : LINES.usual;
  const { value, trouble } = useReading(`${shared.edits} ${most}`, (signal) =>
    createFeed({ lines: most, most: MOST })(signal),
  );
  return (
    <section class="last">
      <header class="hstack">
        <h2>What happened</h2>
        <a class="end" href="#show=changes">
          All
        </a>
      </header>
      {trouble}
      {value && <Doings changes={value.changes} />}
      {value && <ChangeList changes={value.changes} isWhole={value.before === undefined} most={most} />}
      {value?.changes.length === 0 && <p class="text-light">Nothing that is kept.</p>}
    </section>
  );
}
