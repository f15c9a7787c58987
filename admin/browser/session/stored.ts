/**
 * A value that is stored as JSON under a key. Others may have written it, or an older page: one that cannot be read, or lacks the form, is as if it
 * were not there.
 *
 * @param hasForm whether it is of the form. A throw counts as no.
 */
export function readStored<Value>(
  storage: Storage,
  key: string,
  hasForm: (found: Value) => boolean,
): Value | undefined {
  const text = storage.getItem(key);
  if (text === null) return undefined;
  try {
    const found: Value = JSON.parse(text);
    return hasForm(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

export const areTexts = (...values: readonly unknown[]): boolean => values.every((each) => typeof each === 'string');
