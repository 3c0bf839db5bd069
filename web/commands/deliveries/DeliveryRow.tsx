import { deviceAddress } from '@telltale/domain/channels/address.ts';
import type { Delivery } from '@telltale/domain/commands/delivery.ts';
import { Button } from 'antd';
import { memo, useId, useState } from 'react';
import { Link } from 'react-router';
import { useCan } from '../../api/session.ts';
import { RowButton } from '../../ui/RowButton.tsx';
import { StateLabel } from '../../ui/StateLabel.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useCancelDelivery } from '../useCommands.ts';
import styles from './Deliveries.module.css';
import { DeliveryBytes } from './DeliveryBytes.tsx';
import { DeliveryLog } from './DeliveryLog.tsx';
import { attemptText, reasonText, stateNames, toneOf } from './deliveryText.ts';

interface DeliveryRowProps {
  delivery: Delivery;
  /** The part to show; the page already names the other one. */
  shows: 'device' | 'command';
  /** Other deliveries of its execution have other bytes. */
  hasOwnBytes?: boolean;
  /** The word for cancelling here: an item of a queue is deleted. */
  cancelText?: 'Cancel' | 'Delete';
}

/** One command to one device: its state, the reason, its bytes and its log; it can be cancelled until it is final. */
export const DeliveryRow = memo(function DeliveryRow({ delivery, shows, hasOwnBytes = false, cancelText = 'Cancel' }: DeliveryRowProps) {
  const logId = useId();
  const [isOpen, setOpen] = useState(false);
  const cancel = useCancelDelivery();
  const canCancel = useCan()('send_command') && !delivery.is_final;
  const { state, is_final, reason } = delivery;
  const subject = shows === 'device' ? delivery.device_name || delivery.device_id : delivery.command_name;
  const notes = [attemptText(delivery), reason && reasonText(reason)].filter(Boolean).join(', ');
  return (
    <li className={styles.delivery}>
      <div className={styles.line}>
        <span className={styles.subject}>
          {shows === 'device' ? (
            <Link to={`${deviceAddress(delivery.channel_id, delivery.device_id)}?tab=downlink`}>{subject}</Link>
          ) : delivery.command_id === null ? (
            subject
          ) : (
            <Link to={`/commands/${delivery.command_id}`}>{subject}</Link>
          )}
        </span>
        <StateLabel tone={toneOf(state, is_final)}>{stateNames[state]}</StateLabel>
        {(shows === 'command' || hasOwnBytes) && <DeliveryBytes delivery={delivery} />}
        {notes && <span className={styles.note}>{notes}</span>}
        <span className={styles.end}>
          <span className={styles.time}>
            <TimeAgo date={delivery.finished_at ?? delivery.sent_at ?? delivery.created_at} />
          </span>
          <span className={styles.actions}>
            <Button
              className={styles.log ?? ''}
              size="small"
              type="text"
              aria-expanded={isOpen}
              aria-controls={isOpen ? logId : undefined}
              aria-label={`Log of ${subject}`}
              onClick={() => setOpen(!isOpen)}
            >
              Log
            </Button>
            {canCancel && (
              <RowButton thing={subject} danger loading={cancel.isPending} onClick={() => cancel.mutate({ params: { id: delivery.id } })}>
                {cancelText}
              </RowButton>
            )}
          </span>
        </span>
      </div>
      {isOpen && <DeliveryLog id={logId} delivery={delivery} />}
    </li>
  );
});
