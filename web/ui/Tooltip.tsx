import { Tooltip as AntTooltip } from 'antd';
import type { ReactElement, ReactNode } from 'react';

interface TooltipProps {
  title: ReactNode;
  children: ReactElement;
  placement?: 'top' | 'bottom' | 'left' | 'right';
  /** Set where the tooltip shows independently of hovering, such as "Copied!". */
  open?: boolean | undefined;
}

/** Screens 1.4: shows on hover and on keyboard focus. */
export function Tooltip({ title, children, placement = 'top', open }: TooltipProps) {
  return (
    <AntTooltip
      title={title}
      placement={placement}
      trigger={['hover', 'focus']}
      mouseEnterDelay={0.3}
      {...(open !== undefined && { open })}
    >
      {children}
    </AntTooltip>
  );
}
