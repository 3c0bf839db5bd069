import type { UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import dayjs from 'dayjs';
import { memo } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { StateLabel, type Tone } from '../../../ui/StateLabel.tsx';
import styles from '../Device.module.css';
import { payloadText } from './payloadText.ts';

const tones: Readonly<Record<UplinkRecord['status'], Tone>> = { stored: 'ok', partial: 'warning', duplicate: 'info', rejected: 'danger' };

export const MessageRow = memo(function MessageRow({ message }: { message: UplinkRecord }) {
  const { received_at, status, source, bytes, errors, warnings, raw_truncated } = message;
  const text = payloadText(message);
  return (
    <li className={styles.message}>
      <span className={styles.messageHead}>
        <time dateTime={received_at}>{dayjs(received_at).format('YYYY-MM-DD HH:mm:ss.SSS')}</time>
        <StateLabel tone={tones[status]}>{status}</StateLabel>
        <span className={styles.note}>
          {source}, {bytes.toLocaleString('en')} bytes
        </span>
        <span className={styles.copy}>
          <CopyButton text={text} what="message" />
        </span>
      </span>
      <code className={styles.payload}>
        {text}
        {raw_truncated && '…'}
      </code>
      {errors.map((error) => (
        <span key={error} className={styles.fault}>
          {error}
        </span>
      ))}
      {warnings.length > 0 && <span className={styles.note}>{warnings.join(', ')}</span>}
    </li>
  );
});
