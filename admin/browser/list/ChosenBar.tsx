import { useState } from 'preact/hooks';
import { isOffline } from '../data/connection.ts';
import { TAGS } from '../data/edit.ts';
import { type Filters, wordsOf } from '../data/filters.ts';
import { say, view } from '../data/state.ts';
import { runMany, tasks } from '../data/task.ts';
import { numberOf } from '../data/time.ts';
import { DeleteMany, Edit } from '../many/Edit.tsx';
import { changeIn, type EditRow, rowOf } from '../many/edits.ts';
import { Combobox } from '../parts/Combobox.tsx';
import { Button, Popover } from '../parts/parts.tsx';
import { may } from '../session/session.ts';
import { useCounted } from '../values/useCounted.ts';
import { type ValueLine, valueLines } from '../values/values.ts';
import { useExport } from './Export.tsx';

/** Users who are chosen, of those who match: some, by their ids, or all. */
export type Chosen = ReadonlySet<number> | 'all';

/** The number of users, chosen by hand, that are changed at once: each was seen. */
const AT_ONCE = 20;

interface ChoiceProps {
  property: string;
  placeholder: string;
  /** @param isKnown whether somebody has it, or it is none */
  take(value: string, isKnown: boolean): void;
}

/** The values that users have, and another one. An empty value is none. */
function Choices({ property, placeholder, take }: ChoiceProps) {
  const [typed, setTyped] = useState('');
  const lines = valueLines(property, typed, useCounted({}, [property]).counts.get(property));
  const none = typed === '' && property === 'status' ? [{ text: 'No status', value: '', isNone: true }] : [];
  return (
    <Combobox<ValueLine>
      aria-label={placeholder}
      placeholder={placeholder}
      maxLength={64}
      text={typed}
      options={[...lines, ...none]}
      hasDots={property === 'status'}
      isInline
      onText={setTyped}
      onTake={({ value, count }) => take(value, value === '' || count !== undefined)}
    />
  );
}

interface Props {
  chosen: Chosen;
  total: number;
  attributes: readonly string[];
  choose(next: Chosen | ((now: Chosen) => Chosen)): void;
}

/** The actions for the users who are chosen. An action that has begun goes on when another page is shown. */
export function ChosenBar({ chosen, total, attributes, choose }: Props) {
  // The rows of the panel that is open, or the one in which they are deleted.
  const [panel, setPanel] = useState<readonly EditRow[] | 'delete'>();
  const isAll = chosen === 'all';
  const count = isAll ? total : chosen.size;
  const query: Filters = isAll ? view.filters : { id: [...chosen].map(String) };
  const { buttons, progress, isSaving } = useExport(query);
  const nobody = () => choose(new Set());
  // Others may be chosen by then.
  const onWhole = () => choose((now) => (now === chosen ? new Set() : now));
  const words = wordsOf(view.filters);
  const whom = isAll ? `All that match${words === '' ? '' : `: ${words}`}` : `${numberOf(count)} chosen`;
  const props = { query, total: count, whom, onClose: () => setPanel(undefined), onWhole };

  /** Users who were chosen by hand get a known value at once, others in the panel, where it is filled in. */
  function take(row: EditRow, isKnown: boolean): void {
    const asked = { query, json: { ...changeIn([row]), atMost: count } };
    const wanted = { path: '/edits', asked, doing: 'Changing', done: 'Changed', whom, total: count, onWhole };
    if (isAll || count > AT_ONCE || !isKnown) setPanel([row]);
    else {
      say();
      // Its bar tells of a failure.
      runMany(wanted).catch(() => undefined);
    }
  }
  const isBusy = tasks.now?.isRunning === true || isOffline();
  const quick = (text: string, property: string, placeholder: string, rowWith: (value: string) => EditRow) => (
    <Popover text={text} hasArrow disabled={isBusy}>
      {(close) => (
        <Choices
          property={property}
          placeholder={placeholder}
          take={(value, isKnown) => {
            close();
            take(rowWith(value), isKnown);
          }}
        />
      )}
    </Popover>
  );
  return (
    <section class="bar hstack over chosen" aria-label="Chosen users">
      <b role="status">{isAll ? `All ${numberOf(total)} chosen` : `${numberOf(count)} chosen`}</b>
      {!isAll && count < total && (
        <Button text={`Choose all ${numberOf(total)}`} class="link" onClick={() => choose('all')} />
      )}
      {may('users:write') && (
        <>
          {quick('Set status', 'status', 'A status …', (text) => ({
            ...rowOf('status', 0, text === '' ? 'none' : 'text'),
            text,
          }))}
          {quick('Add tag', TAGS, 'A tag …', (tag) => ({ ...rowOf(TAGS, 0), items: [tag] }))}
          <Button text="Change …" disabled={isBusy} onClick={() => setPanel([rowOf('status', 0)])} />
        </>
      )}
      {progress}
      {!isSaving && buttons('outline')[0]}
      <small class="wide">Shift+click chooses a range</small>
      <span class="end hstack gap-2">
        {may('users:write') && (
          <Button text="Delete …" data-variant="danger" disabled={isBusy} onClick={() => setPanel('delete')} />
        )}
        <Button sign="close" class="ghost" name="Choose nobody" onClick={nobody} />
      </span>
      {panel === 'delete' && <DeleteMany {...props} />}
      {panel !== undefined && panel !== 'delete' && <Edit {...props} attributes={attributes} start={panel} />}
    </section>
  );
}
