import EyeInvisibleOutlined from '@ant-design/icons/EyeInvisibleOutlined';
import EyeOutlined from '@ant-design/icons/EyeOutlined';
import { Button } from 'antd';
import { useState } from 'react';
import { CopyButton } from './CopyButton.tsx';
import styles from './CopyField.module.css';
import { Tooltip } from './Tooltip.tsx';

interface CopyFieldProps {
  label: string;
  value: string;
  id?: string;
  /** Shown as dots until revealed: keys and tokens. */
  isSecret?: boolean;
  /** False for a value that stands for another one, such as the mask of a key. */
  canCopy?: boolean;
}

/** Screens 1.4: a read-only input with a copy icon. */
export function CopyField({ label, value, id, isSecret = false, canCopy = true }: CopyFieldProps) {
  const [isRevealed, setRevealed] = useState(!isSecret);
  return (
    <span className={styles.field}>
      <input
        id={id}
        className={styles.value}
        type={isRevealed ? 'text' : 'password'}
        value={value}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      {isSecret && (
        <Tooltip title={isRevealed ? 'Hide' : 'Show'}>
          <Button
            type="text"
            size="small"
            icon={isRevealed ? <EyeInvisibleOutlined /> : <EyeOutlined />}
            aria-label={`${isRevealed ? 'Hide' : 'Show'} ${label}`}
            onClick={() => setRevealed(!isRevealed)}
          />
        </Tooltip>
      )}
      {canCopy && <CopyButton text={value} what={label} />}
    </span>
  );
}
