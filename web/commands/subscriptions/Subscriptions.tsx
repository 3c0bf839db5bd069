import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { Command, CommandSubscription } from '@telltale/domain/commands/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useCan } from '../../api/session.ts';
import { RowButton } from '../../ui/RowButton.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from '../Commands.module.css';
import { useSubscriptions, useUnsubscribe } from '../useCommands.ts';

const AddDestinationsDialog = lazy(() => import('./AddDestinationsDialog.tsx'));

/** A7: destinations that are notified when a delivery succeeds or fails. */
export function Subscriptions({ command }: { command: Command }) {
  const canSend = useCan()('send_command');
  const { data: subscriptions = [], error, isPending } = useSubscriptions(command.id);
  const [isAdding, setAdding] = useState(false);
  return (
    <Section level={2} title="Notifications">
      <p className={styles.hint}>These destinations are notified when a delivery succeeds or fails.</p>
      {error && <p className={styles.fault}>{error.message}</p>}
      {subscriptions.length > 0 && (
        <ul className={styles.list} aria-label="Destinations">
          {subscriptions.map((one) => (
            <Subscription key={one.id} subscription={one} canRemove={canSend} />
          ))}
        </ul>
      )}
      {!isPending && !error && subscriptions.length === 0 && !canSend && <p className={styles.hint}>None yet.</p>}
      {canSend && (
        <Button icon={<PlusOutlined />} onClick={() => setAdding(true)}>
          Add destination
        </Button>
      )}
      {isAdding && (
        <Suspense>
          <AddDestinationsDialog
            commandId={command.id}
            taken={subscriptions.map(({ destination_id }) => destination_id)}
            onClose={() => setAdding(false)}
          />
        </Suspense>
      )}
    </Section>
  );
}

function Subscription({ subscription, canRemove }: { subscription: CommandSubscription; canRemove: boolean }) {
  const unsubscribe = useUnsubscribe();
  const { id, command_id, destination } = subscription;
  return (
    <li className={styles.listItem}>
      <span className={styles.name}>{destination.name}</span>
      <span className={styles.hint}>{destination.type}</span>
      {canRemove && (
        <RowButton
          thing={destination.name}
          loading={unsubscribe.isPending}
          onClick={() => unsubscribe.mutate({ params: { id: command_id, sid: id } })}
        >
          Remove
        </RowButton>
      )}
    </li>
  );
}
