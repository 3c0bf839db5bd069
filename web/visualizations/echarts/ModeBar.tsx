import CameraOutlined from '@ant-design/icons/CameraOutlined';
import { Button } from 'antd';
import type { ReactElement, ReactNode } from 'react';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './ModeBar.module.css';

/** visualizations 5.15: over a corner of the picture, on hover and focus, and always on devices without hover. */
export function ModeBar({ onSave, children }: { onSave: () => void; children?: ReactNode }) {
  return (
    <div className={styles.bar} role="toolbar" aria-label="Chart tools">
      {children}
      <ModeButton label="Save as PNG" icon={<CameraOutlined />} onClick={onSave} />
    </div>
  );
}

interface ModeButtonProps {
  label: string;
  icon: ReactElement;
  onClick: () => void;
  isDisabled?: boolean;
  /** The state of a toggle button. */
  isOn?: boolean;
  /** Hidden without a hovering pointer: fingers do not drag charts. */
  isForMouse?: boolean;
}

export function ModeButton({ label, icon, onClick, isDisabled = false, isOn, isForMouse = false }: ModeButtonProps) {
  return (
    <Tooltip title={label} placement="bottom">
      <Button
        type="text"
        size="small"
        icon={icon}
        aria-label={label}
        aria-pressed={isOn}
        disabled={isDisabled}
        className={[isOn && styles.on, isForMouse && styles.forMouse].filter(Boolean).join(' ')}
        onClick={onClick}
      />
    </Tooltip>
  );
}
