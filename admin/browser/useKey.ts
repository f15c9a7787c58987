import { useEffect } from 'preact/hooks';

/** A key that does something, unless somebody types, or a card or a menu is open. */
export function useKey(key: string, run: () => void): void {
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.matches('input:not([type="checkbox"]), select, textarea');
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== key || isTyping || !isPlain || document.querySelector('dialog[open], :popover-open')) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, [key, run]);
}
