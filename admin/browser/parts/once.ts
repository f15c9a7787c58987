/** The element of the last click: a button, or nothing. */
let clicked: Element | null = null;

const buttonOf = ({ target }: Event): Element | null => (target instanceof Element ? target.closest('button') : null);

function refuse(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * A button often comes to the place of another one, with its focus: "Stop here" to that of "Change". So the second click of a double click,
 * whose `detail` is 2 (https://w3c.github.io/uievents/#event-type-click), goes to the button of the first one or nowhere, and an Enter that is
 * held presses no button again.
 */
export function pressOnce(): void {
  const click = (event: MouseEvent) => {
    const button = buttonOf(event);
    if (event.detail > 1 && button !== null && button !== clicked) refuse(event);
    else clicked = button;
  };
  addEventListener('click', click, { capture: true });
  addEventListener('keydown', (event) => event.repeat && event.key === 'Enter' && buttonOf(event) && refuse(event), {
    capture: true,
  });
}
