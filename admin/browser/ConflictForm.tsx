import type { Conflict, FieldName } from './edit.ts';
import { labelOf } from './view.ts';

interface Props {
  conflict: Conflict;
  /** While what was chosen is sent, nothing else can be chosen. */
  isSaving: boolean;
  /** With the fields whose own value was chosen. */
  onChoose(own: FieldName[]): void;
}

const shown = (text: string) => (text === '' ? <i>no value</i> : text);

/** Both versions side by side, for whoever saves a user that was changed meanwhile. */
export function ConflictForm({ conflict: { mine, theirs, fields }, isSaving, onChoose }: Props) {
  const choice = (field: FieldName, side: 'mine' | 'theirs', text: string) => (
    <td>
      <label>
        <input type="radio" name={field} value={side} defaultChecked={side === 'mine'} disabled={isSaving} />{' '}
        {shown(text)}
      </label>
    </td>
  );
  return (
    <form
      class="conflict vstack"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        onChoose(fields.filter((field) => data.get(field) === 'mine'));
      }}
    >
      <h3>Somebody else has changed this user meanwhile</h3>
      <p>Choose what to keep of what you have changed. What only they have changed stays.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Yours</th>
            <th scope="col">Theirs</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{labelOf(field)}</th>
              {choice(field, 'mine', mine[field])}
              {choice(field, 'theirs', theirs[field])}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="hstack">
        <button type="submit" aria-disabled={isSaving}>
          Save what was chosen
        </button>
        <button type="button" class="outline" aria-disabled={isSaving} onClick={() => onChoose([])}>
          Take theirs
        </button>
      </div>
    </form>
  );
}
