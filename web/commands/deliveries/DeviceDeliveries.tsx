import { useQueryClient } from '@tanstack/react-query';
import { type DeliveryState, deliveryStates } from '@telltale/domain/commands/delivery.ts';
import { Button } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { familyKey } from '../../api/queryKey.ts';
import { useCan } from '../../api/session.ts';
import { confirm } from '../../ui/confirm.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { NoMatch } from '../../ui/NoMatch.tsx';
import { deliveryReads, useClearQueue } from '../useCommands.ts';
import styles from './Deliveries.module.css';
import { DeliveryRow } from './DeliveryRow.tsx';
import { StateFilter } from './StateFilter.tsx';
import { type DeliveryPages, useDeviceDeliveries } from './useTimeline.ts';

interface DeviceDeliveriesProps {
  channelId: string;
  deviceId: string;
  /** Counts the live events about commands of the device. */
  news: number;
}

/** States of deliveries that are not handed over yet, or still on their way. */
const waitingStates: readonly DeliveryState[] = ['pending', 'queued', 'nacked', 'waiting'];
const loggedStates = deliveryStates.filter((state) => !waitingStates.includes(state));

/** The queue of a device, with the next delivery first, and the log of everything that was sent to it. */
export function DeviceDeliveries({ channelId, deviceId, news }: DeviceDeliveriesProps) {
  const params = { id: channelId, deviceId };
  const [states, setStates] = useState<readonly DeliveryState[]>([]);
  const client = useQueryClient();
  const canSend = useCan()('send_command');
  const queue = useDeviceDeliveries(params, waitingStates);
  const log = useDeviceDeliveries(params, states.length > 0 ? states : loggedStates);
  const clear = useClearQueue();
  useEffect(() => {
    if (news > 0) for (const read of deliveryReads) void client.invalidateQueries({ queryKey: familyKey(read) });
  }, [news, client]);
  const waiting = queue.deliveries.filter(({ is_final }) => !is_final).toReversed();
  const ask = () =>
    confirm({
      title: 'Clear queue',
      content: `${queue.total.toLocaleString('en')} waiting ${queue.total === 1 ? 'command is' : 'commands are'} cancelled and will not reach the device.`,
      okText: 'Clear queue',
      danger: true,
      onOk: () => clear.mutateAsync({ params }),
    });
  return (
    <>
      <Part
        title="Queue"
        pages={queue}
        aside={
          canSend &&
          waiting.length > 1 && (
            <Button size="small" danger onClick={() => void ask()}>
              Clear queue
            </Button>
          )
        }
        empty={waiting.length === 0 && <p className={styles.note}>Nothing is waiting for this device.</p>}
      >
        {waiting.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} shows="command" cancelText="Delete" />
        ))}
      </Part>
      <Part
        title="Log"
        pages={log}
        aside={<StateFilter states={states} onChange={setStates} />}
        empty={
          log.deliveries.length === 0 &&
          (states.length > 0 ? (
            <NoMatch />
          ) : (
            <p className={styles.note}>Nothing has been sent to this device yet. Commands appear here with their time and their result.</p>
          ))
        }
      >
        {log.deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} shows="command" />
        ))}
      </Part>
    </>
  );
}

interface PartProps {
  title: string;
  pages: DeliveryPages;
  aside: ReactNode;
  empty: ReactNode;
  children: ReactNode;
}

function Part({ title, pages, aside, empty, children }: PartProps) {
  return (
    <section className={styles.timeline} aria-label={title} aria-busy={pages.isPending}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {aside}
      </header>
      {pages.error && <ErrorState error={pages.error} onRetry={pages.refetch} />}
      {!pages.isPending && !pages.error && empty}
      <ul className={styles.deliveries}>{children}</ul>
      {pages.hasMore && (
        <Button loading={pages.isLoadingMore} onClick={pages.loadMore}>
          Show older deliveries
        </Button>
      )}
    </section>
  );
}
