import UploadOutlined from '@ant-design/icons/UploadOutlined';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import type { ControlProps } from './control.ts';
import styles from './Form.module.css';
import { readFileAsBase64 } from './readFile.ts';

/** Screens 12.1: "Click to upload", one file. A saved one can be replaced or removed, not read. */
export function FileControl({ id, field, value, onChange, isFaulty, describedBy }: ControlProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [fileName, setFileName] = useState('');
  const [failure, setFailure] = useState('');
  const isFilled = typeof value === 'string' && value !== '';

  const pick = async (file: File | undefined) => {
    if (!file) return;
    try {
      onChange(await readFileAsBase64(file));
      setFileName(file.name);
      setFailure('');
    } catch {
      setFailure(`${file.name} could not be read.`);
    }
  };

  return (
    <div className={styles.file}>
      <input
        ref={picker}
        type="file"
        hidden
        onChange={(event) => {
          void pick(event.target.files?.[0]);
          // Allows picking the same file again after it was changed.
          event.target.value = '';
        }}
      />
      <Button
        id={id}
        icon={<UploadOutlined />}
        danger={isFaulty}
        disabled={field.readOnly}
        aria-describedby={describedBy}
        onClick={() => picker.current?.click()}
      >
        Click to upload
      </Button>
      <span className={styles.fileName} role="status">
        {failure || (isFilled && (fileName || 'A file is saved.'))}
      </span>
      {isFilled && !field.readOnly && (
        <Button
          type="text"
          size="small"
          aria-label={`Remove ${field.title}`}
          onClick={() => {
            setFileName('');
            onChange(null);
          }}
        >
          Remove
        </Button>
      )}
    </div>
  );
}
