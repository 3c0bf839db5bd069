import EyeInvisibleOutlined from '@ant-design/icons/EyeInvisibleOutlined';
import EyeOutlined from '@ant-design/icons/EyeOutlined';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { type ControlProps, textOf } from './control.ts';
import styles from './Form.module.css';
import { typedOverMask } from './typedOverMask.ts';

/** A secret of several lines. Like a password, a saved one shows as dots, cannot be revealed, and typing replaces it as a whole. */
export function SecretAreaControl({ id, field, value, onChange, isFaulty, describedBy }: ControlProps) {
  const [isRevealed, setRevealed] = useState(false);
  const text = textOf(value);
  const isSaved = text === secretMask;
  const canReveal = !isSaved && text !== '';
  return (
    <div className={styles.secretArea}>
      <Input.TextArea
        id={id}
        name={field.name}
        className={canReveal && isRevealed ? styles.secretText : `${styles.secretText} ${styles.masked}`}
        value={text}
        placeholder={field.placeholder}
        readOnly={field.readOnly}
        autoComplete="off"
        autoFocus={field.autoFocus}
        spellCheck={false}
        autoSize={{ minRows: 3, maxRows: 12 }}
        status={isFaulty ? 'error' : ''}
        aria-required={field.required}
        aria-invalid={isFaulty}
        aria-describedby={describedBy}
        onFocus={(event) => isSaved && event.target.select()}
        onChange={(event) => onChange(typedOverMask(text, event.target.value))}
      />
      {canReveal && (
        <Button
          size="small"
          type="text"
          className={styles.reveal}
          aria-label={isRevealed ? `Hide ${field.title}` : `Show ${field.title}`}
          icon={isRevealed ? <EyeOutlined /> : <EyeInvisibleOutlined />}
          onClick={() => setRevealed(!isRevealed)}
        />
      )}
    </div>
  );
}
