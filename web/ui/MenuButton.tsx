import { Button, type ButtonProps, Dropdown, type MenuProps } from 'antd';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

interface MenuButtonProps extends Omit<ButtonProps, 'onClick' | 'onKeyDown'> {
  menu: MenuProps;
  placement?: 'bottomRight' | 'bottomLeft' | 'topLeft' | 'topRight';
}

/**
 * Moves the focus into the menu once it is rendered. The dropdown's own `autoFocus` tries once, after three frames: on a busy machine the
 * menu is not there by then, and keys would still go to the button.
 */
function useFocusInMenu(isOpen: boolean) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    let frame = 0;
    const focus = () => {
      const first = popup.current?.querySelector<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])');
      if (!popup.current?.contains(document.activeElement)) first?.focus();
      if (!popup.current?.contains(document.activeElement)) frame = requestAnimationFrame(focus);
    };
    frame = requestAnimationFrame(focus);
    return () => cancelAnimationFrame(frame);
  }, [isOpen]);
  return popup;
}

/** A button that opens a menu, accessible as a menu button. */
export function MenuButton({ menu, placement = 'bottomRight', ...button }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const popup = useFocusInMenu(isOpen);
  const change = (isNext: boolean) => {
    setOpen(isNext);
    if (!isNext && document.activeElement?.closest('[role="menu"]')) opener.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || isOpen) return;
    event.preventDefault();
    setOpen(true);
  };
  const onClick: MenuProps['onClick'] = (info) => {
    if (info.domEvent.type === 'keydown') {
      // Otherwise the key would press the button as well, once that has the focus.
      info.domEvent.preventDefault();
      // The entry gets the key event; a link inside it only reacts to the pointer.
      info.domEvent.currentTarget.querySelector('a')?.click();
    }
    // The entry disappears with the menu. A dialog that it opens takes the focus after this, and returns it here.
    opener.current?.focus();
    menu.onClick?.(info);
  };
  return (
    <Dropdown
      trigger={['click']}
      placement={placement}
      open={isOpen}
      onOpenChange={change}
      autoFocus
      destroyOnHidden
      popupRender={(drawn) => <div ref={popup}>{drawn}</div>}
      menu={{ ...menu, onClick }}
    >
      <Button {...button} ref={opener} aria-haspopup="menu" aria-expanded={isOpen} onKeyDown={onKeyDown} />
    </Dropdown>
  );
}
