import { useEffect } from 'preact/hooks';

const parts = { card: '', screen: '', stage: '' };

/** Says in the title of the tab where one is: the card, the screen, the stage. */
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
