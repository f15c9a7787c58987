import { useState } from 'preact/hooks';
import { Drawer } from './Drawer.tsx';
import { Edit } from './Edit.tsx';
import { Export } from './Export.tsx';
import type { Filters } from './filters.ts';
import { Button } from './parts.tsx';
import { may } from './session.ts';
import { view } from './state.ts';
import { counted, numberOf } from './time.ts';
import { useSaving } from './useSaving.tsx';
import { runMany } from './write.ts';

/** Users who are chosen, of those who match: some, by their ids, or all. */
export type Chosen = ReadonlySet<number> | 'all';

interface Props {
  chosen: Chosen;
  total: number;
  choose(chosen: Chosen): void;
}

/** The actions for the users who are chosen. An action that has begun goes on when another page is shown. */
export function ChosenBar({ chosen, total, choose }: Props) {
  const { attempt, progress } = useSaving();
  const nobody = () => choose(new Set());

  const [isChanging, setChanging] = useState(false);
  const close = () => setChanging(false);

  const isAll = chosen === 'all';
  const whom = isAll ? `all ${counted(total, 'user')} that match` : `${numberOf(chosen.size)} chosen`;
  const query: Filters = isAll ? view.filters : { id: [...chosen].map(String) };

  return (
    <section class="bar hstack chosen" aria-label="Chosen users">
      <b>{whom}</b>
      {!isAll && chosen.size < total && (
        <Button text={`Choose all ${numberOf(total)} that match`} onClick={() => choose('all')} />
      )}
      {progress}
      <span class="end hstack gap-2">
        {may('users:write') && <Button text="Change …" onClick={() => setChanging(true)} />}
        <Export filters={query} />
        <Button text="×" class="ghost" name="Choose nobody" onClick={nobody} />
      </span>
      {isChanging && (
        <Drawer title={`Change ${whom}`} first="form input" onClose={close}>
          <Edit
            query={query}
            run={(json) => {
              close();
              const done = 'delete' in json ? 'Deleted' : 'Changed';
              attempt((onShare) => runMany('/edits', { query, json }, done, onShare), nobody);
            }}
          />
        </Drawer>
      )}
    </section>
  );
}
