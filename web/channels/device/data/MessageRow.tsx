import type { Message } from '@telltale/domain/channels/data-contract.ts';
import { memo } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { momentText } from '../../../ui/momentText.ts';
import { StateLabel, type Tone } from '../../../ui/StateLabel.tsx';
import styles from '../Device.module.css';
import { payloadText } from './payloadText.ts';

const tones: Readonly<Record<Exclude<Message['status'], 'event'>, Tone>> = {
  stored: 'ok',
  partial: 'warning',
  duplicate: 'info',
  rejected: 'danger',
};
const levels: Readonly<Record<NonNullable<Message['event']>['level'], Tone>> = { info: 'info', warning: 'warning', error: 'danger' };

export const MessageRow = memo(function MessageRow({ message }: { message: Message }) {
  const { received_at, status, source, bytes, errors, warnings, raw_truncated, event, user_properties } = message;
  const text = payloadText(message);
  return (
    <li className={styles.message}>
      <span className={styles.messageHead}>
        <time dateTime={received_at}>{momentText(received_at, 'millisecond')}</time>
        <StateLabel tone={status === 'event' ? levels[event?.level ?? 'info'] : tones[status]}>{event?.name ?? status}</StateLabel>
        <span className={styles.note}>{event ? event.message : `${source}, ${bytes.toLocaleString('en')} bytes`}</span>
        <span className={styles.copy}>
          <CopyButton text={text} what="message" />
        </span>
      </span>
      <code className={styles.payload}>
        {text}
        {raw_truncated && '…'}
      </code>
      {user_properties && (
        <span className={styles.note}>
          {Object.entries(user_properties)
            .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
            .join(' · ')}
        </span>
      )}
      {(event ? [] : errors).map((error) => (
        <span key={error} className={styles.fault}>
          {error}
        </span>
      ))}
      {!event && warnings.length > 0 && <span className={styles.note}>{warnings.join(', ')}</span>}
    </li>
  );
});
