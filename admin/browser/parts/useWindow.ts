import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { settings } from '../session/session.ts';

/** Elements that take text: a key that is typed into them is no key for the page. */
export const TYPED = 'input:not([type="checkbox"]), select, textarea';

/** Keys that do something, with blanks between them, unless somebody types, or a panel that all else waits for or a menu is open. */
export function useKey(keys: string, run: () => void): void {
  // Before the browser paints: what is seen has its keys.
  useLayoutEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (!keys.split(' ').includes(key) || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.matches(TYPED)) return;
      if (document.querySelector('dialog:modal, :popover-open')) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, [keys, run]);
}

let isPressed = false;
addEventListener('pointerdown', () => (isPressed = true), true);
for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => (isPressed = false), true);

/** Does something once no button of a mouse is down: a line that appears meanwhile would move what is clicked away. */
export function whenReleased(run: () => void): void {
  if (isPressed) addEventListener('pointerup', () => setTimeout(run), { once: true });
  else run();
}

const parts = { card: '', screen: '', stage: `Users ${settings.stage}` };

/** Says in the title of the tab where one is: the card and the screen, before the stage. */
export function useTitle(part: keyof typeof parts, text: string): void {
  useEffect(() => {
    const show = (now: string) => {
      parts[part] = now;
      document.title = Object.values(parts).filter(Boolean).join(' · ');
    };
    show(text);
    return () => show('');
  }, [part, text]);
}

/** Whether the window is as a media query says. */
export function useMedia(query: string): boolean {
  const [is, setIs] = useState(matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const look = () => setIs(media.matches);
    look();
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, [query]);
  return is;
}
