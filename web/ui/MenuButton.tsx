import { Button, type ButtonProps, Dropdown, type MenuProps } from 'antd';
import { type KeyboardEvent, useRef, useState } from 'react';

interface MenuButtonProps extends Omit<ButtonProps, 'onClick' | 'onKeyDown'> {
  menu: MenuProps;
  placement?: 'bottomRight' | 'bottomLeft' | 'topLeft' | 'topRight';
}

/** A button that opens a menu: heard as one, and worked with the keys of one. */
export function MenuButton({ menu, placement = 'bottomRight', ...button }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
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
      // Or the key would press the button as well, once that has the focus.
      info.domEvent.preventDefault();
      // Keys are heard by the entry, a link inside it only hears the pointer.
      info.domEvent.currentTarget.querySelector('a')?.click();
    }
    // The entry goes away with the menu. Whatever it opens takes the focus after this, and gives it back here.
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
      menu={{ ...menu, onClick }}
    >
      <Button {...button} ref={opener} aria-haspopup="menu" aria-expanded={isOpen} onKeyDown={onKeyDown} />
    </Dropdown>
  );
}
