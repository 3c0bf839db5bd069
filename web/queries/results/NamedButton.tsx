import { Button } from 'antd';
import type { ReactNode } from 'react';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useSmallScreen } from '../../ui/useMatches.ts';

/** Screens 1.9: without room for its text, the button shows it on hover and on focus, and has it as its label. */
export function NamedButton({ text, icon, onClick }: { text: string; icon: ReactNode; onClick: () => void }) {
  const isSmall = useSmallScreen();
  const button = (
    <Button size="small" type="text" icon={icon} aria-label={text} onClick={onClick}>
      {isSmall ? null : text}
    </Button>
  );
  return isSmall ? <Tooltip title={text}>{button}</Tooltip> : button;
}
