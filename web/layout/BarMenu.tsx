import { type FocusEvent, type MouseEvent, type ReactNode, useId, useRef, useState } from 'react';
import styles from './BarMenu.module.css';

interface BarMenuProps {
  /** The name of the button where its content does not say it. */
  label?: string;
  title?: string;
  button: ReactNode;
  buttonClassName?: string | undefined;
  panelClassName?: string | undefined;
  children: ReactNode;
}

/**
 * A button of the top bar and the panel under it. The browser's own popover provides Escape, closing by a click beside it, the order of the
 * Tab key and the return of the focus.
 */
export function BarMenu({ label, title, button, buttonClassName, panelClassName, children }: BarMenuProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  const place = () => {
    const { right = 0 } = trigger.current?.getBoundingClientRect() ?? {};
    panel.current?.style.setProperty('--from-right', `${Math.max(8, document.documentElement.clientWidth - right)}px`);
  };
  const closeAfterChoice = (event: MouseEvent<HTMLDivElement>) => {
    if (event.target instanceof Element && event.target.closest('a, button')) panel.current?.hidePopover();
  };

  const closeWhenLeft = ({ relatedTarget: next }: FocusEvent) => {
    if (next instanceof Node && !panel.current?.contains(next) && next !== trigger.current) panel.current?.hidePopover();
  };

  return (
    <>
      <button
        ref={trigger}
        type="button"
        popoverTarget={id}
        aria-label={label}
        aria-expanded={isOpen}
        title={title}
        className={`${styles.button} ${buttonClassName ?? ''}`}
      >
        {button}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: listens to the links inside, which have keys of their own */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link clicks it */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={`${styles.panel} ${panelClassName ?? ''}`}
        onBeforeToggle={place}
        onToggle={(event) => setOpen(event.newState === 'open')}
        onClick={closeAfterChoice}
        onBlur={closeWhenLeft}
      >
        {children}
      </div>
    </>
  );
}
