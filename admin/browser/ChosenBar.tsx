import { useState } from 'preact/hooks';
import { Combobox, type Line } from './Combobox.tsx';
import { isOffline } from './connection.ts';
import { DeleteMany, Edit } from './Edit.tsx';
import { Export } from './Export.tsx';
import { type EditRow, rowOf } from './edits.ts';
import { ATTRIBUTE, type Filters, namedFilters } from './filters.ts';
import { Icon } from './icons.tsx';
import { Button, Popover } from './parts.tsx';
import { may } from './session.ts';
import { view } from './state.ts';
import { meant } from './suggest.ts';
import { runMany, tasks } from './task.ts';
import { numberOf } from './time.ts';
import { useCounted } from './useCounted.ts';
import { useSaving } from './useSaving.tsx';

/** Users who are chosen, of those who match: some, by their ids, or all. */
export type Chosen = ReadonlySet<number> | 'all';

/** The number of users, chosen by hand, that are changed at once: each was seen. */
const AT_ONCE = 20;

/** The attribute that a tag goes into. */
const TAGS = `${ATTRIBUTE}tags`;

interface ChoiceProps {
  property: string;
  placeholder: string;
  /** @param isKnown whether somebody has it. Undefined value: none */
  take(value: string | undefined, isKnown: boolean): void;
}

type Choice = Line & { value?: string; isKnown: boolean };

/** The values that users have, and another one. */
function Choices({ property, placeholder, take }: ChoiceProps) {
  const [typed, setTyped] = useState('');
  const known = useCounted({}, [property]).get(property) ?? [];
  const text = typed.trim();
  const found = text === '' ? known : meant(text, known, ({ value }) => [value]);
  const options: Choice[] = found.map(({ value, count }) => ({ text: value, value, count, isKnown: true }));
  if (text === '' && property === 'status') options.push({ text: 'No status', isKnown: true });
  const isOwn = text !== '' && !known.some(({ value }) => value === text);
  if (isOwn) options.push({ text: `“${text}” …`, value: text, isKnown: false, isAsItIs: true });
  return (
    <Combobox<Choice>
      aria-label={placeholder}
      placeholder={placeholder}
      maxLength={64}
      text={typed}
      options={options}
      hasDots={property === 'status'}
      isInline
      hasFocus
      onText={setTyped}
      onTake={({ value, isKnown }) => take(value, isKnown)}
    />
  );
}

interface Props {
  chosen: Chosen;
  total: number;
  attributes: readonly string[];
  choose(chosen: Chosen): void;
}

/** The actions for the users who are chosen. An action that has begun goes on when another page is shown. */
export function ChosenBar({ chosen, total, attributes, choose }: Props) {
  const { attempt, isSaving, progress } = useSaving();
  const nobody = () => choose(new Set());
  // The rows of the panel that is open, or the one in which they are deleted.
  const [panel, setPanel] = useState<readonly EditRow[] | 'delete'>();

  const isAll = chosen === 'all';
  const count = isAll ? total : chosen.size;
  const query: Filters = isAll ? view.filters : { id: [...chosen].map(String) };
  const words = namedFilters(view.filters).map(({ text }) => text);
  const whom = isAll ? `All that match${words.length > 0 ? `: ${words.join(', ')}` : ''}` : `${numberOf(count)} chosen`;
  const props = { query, total: count, whom, onClose: () => setPanel(undefined), onDone: nobody };

  /** Users who were chosen by hand get a known value at once, others in the panel, where it is filled in. */
  function take(row: EditRow, json: object, isKnown: boolean): void {
    if (isAll || count > AT_ONCE || !isKnown) setPanel([row]);
    else attempt(() => runMany({ path: '/edits', asked: { query, json: { ...json, atMost: count } }, ...QUICK, whom }));
  }
  const isBusy = isSaving || tasks.now?.isRunning === true || isOffline();
  return (
    <section class="bar hstack over chosen" aria-label="Chosen users">
      <b role="status">{isAll ? `All ${numberOf(total)} chosen` : `${numberOf(count)} chosen`}</b>
      {!isAll && count < total && (
        <Button text={`Choose all ${numberOf(total)}`} class="link" onClick={() => choose('all')} />
      )}
      {progress}
      {may('users:write') && (
        <>
          <Popover
            text={
              <>
                Set status <Icon of="down" />
              </>
            }
            name="Set status"
            disabled={isBusy}
          >
            {(close) => (
              <Choices
                property="status"
                placeholder="A status …"
                take={(value, isKnown) => {
                  close();
                  const row = rowOf('status', 0, value === undefined ? 'none' : 'text');
                  take({ ...row, text: value ?? '' }, { patch: { status: value ?? null } }, isKnown);
                }}
              />
            )}
          </Popover>
          <Popover
            text={
              <>
                Add tag <Icon of="down" />
              </>
            }
            name="Add tag"
            disabled={isBusy}
          >
            {(close) => (
              <Choices
                property={TAGS}
                placeholder="A tag …"
                take={(value = '', isKnown) => {
                  close();
                  const json = { add: { attributes: { tags: [value] } } };
                  take({ ...rowOf(TAGS, 0, 'gets'), items: [value] }, json, isKnown);
                }}
              />
            )}
          </Popover>
          <Button text="Change …" disabled={isBusy} onClick={() => setPanel([rowOf('status', 0)])} />
        </>
      )}
      <Export filters={query} isWhole={false} />
      <small class="wide">Shift+click chooses a range</small>
      <span class="end hstack gap-2">
        {may('users:write') && (
          <Button text="Delete …" data-variant="danger" disabled={isBusy} onClick={() => setPanel('delete')} />
        )}
        <Button text={<Icon of="close" />} class="ghost" name="Choose nobody" onClick={nobody} />
      </span>
      {panel === 'delete' && <DeleteMany {...props} />}
      {panel !== undefined && panel !== 'delete' && <Edit {...props} attributes={attributes} start={panel} />}
    </section>
  );
}

const QUICK = { doing: 'Changing', done: 'Changed' };
