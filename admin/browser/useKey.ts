import { useEffect } from 'preact/hooks';

/** Keys that do something, with blanks between them, unless somebody types, or a card or a menu is open. */
export function useKey(keys: string, run: () => void): void {
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.matches('input:not([type="checkbox"]), select, textarea');
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (
        !keys.split(' ').includes(event.key) ||
        isTyping ||
        !isPlain ||
        document.querySelector('dialog[open], :popover-open')
      )
        return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, [keys, run]);
}
