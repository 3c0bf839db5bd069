import PlusOutlined from '@ant-design/icons/PlusOutlined';
import WarningFilled from '@ant-design/icons/WarningFilled';
import type { AlertSubscription } from '@telltale/domain/alerts/contract.ts';
import { Button, Switch } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useCan, useSession } from '../../api/session.ts';
import { DestinationMark } from '../../destinations/DestinationMark.tsx';
import { MailWarning } from '../../ui/MailWarning.tsx';
import { useSubscribe, useSubscriptions, useUnsubscribe } from '../useAlerts.ts';
import styles from './Panel.module.css';
import { Panel, PanelItem } from './Panel.tsx';
import { RemoveButton } from './RemoveButton.tsx';

const AddDestinationsDialog = lazy(() => import('./AddDestinationsDialog.tsx'));

/** Screens 11: the own e-mail with a switch, then every other subscription; its owner and administrators can end one (A6). */
export function DestinationsPanel({ alertId }: { alertId: number }) {
  const { user, client_config } = useSession();
  const isAdmin = useCan()('admin');
  const subscriptions = useSubscriptions(alertId);
  const [isAdding, setAdding] = useState(false);
  const all = subscriptions.data ?? [];
  const own = all.find((one) => isOwnEmail(one, user.id));
  const others = all.filter((one) => one !== own);
  return (
    <Panel
      title="Destinations"
      manage={isAdmin ? { address: '/destinations', label: 'Open Alert Destinations' } : undefined}
      read={subscriptions}
      empty={all.length === 0 && 'Nobody is notified yet.'}
      add={
        <Button size="small" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
          Add
        </Button>
      }
    >
      {subscriptions.data && <OwnEmail key={own?.id ?? 'none'} alertId={alertId} own={own} />}
      {others.map((one) => (
        <Subscription key={one.id} subscription={one} mayRemove={isAdmin || one.user.id === user.id} />
      ))}
      {client_config.mailSettingsMissing && (
        <li className={styles.mail}>
          <MailWarning feature="alert emails" />
        </li>
      )}
      {isAdding && (
        <Suspense>
          <AddDestinationsDialog alertId={alertId} subscribed={all} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Panel>
  );
}

const isOwnEmail = ({ destination, user }: AlertSubscription, userId: number) => !destination && user.id === userId;

function OwnEmail({ alertId, own }: { alertId: number; own: AlertSubscription | undefined }) {
  const { user, client_config } = useSession();
  const subscribe = useSubscribe();
  const unsubscribe = useUnsubscribe();
  const toggle = () =>
    own
      ? unsubscribe.mutate({ params: { id: alertId, subscriptionId: own.id } })
      : subscribe.mutate({ params: { id: alertId }, body: { alert_id: alertId } });
  return (
    <PanelItem
      mark={<DestinationMark type="email" />}
      name={user.email}
      action={
        client_config.mailSettingsMissing && !own ? (
          <WarningFilled className={styles.warning ?? ''} title="No mail server is set up" />
        ) : (
          <Switch
            size="small"
            aria-label={`Notify ${user.email}`}
            checked={own !== undefined}
            loading={subscribe.isPending || unsubscribe.isPending}
            onChange={toggle}
          />
        )
      }
    />
  );
}

function Subscription({
  subscription: { id, alert_id, destination, user },
  mayRemove,
}: {
  subscription: AlertSubscription;
  mayRemove: boolean;
}) {
  const unsubscribe = useUnsubscribe();
  const name = destination?.name ?? user.email;
  return (
    <PanelItem
      mark={<DestinationMark type={destination?.type ?? 'email'} />}
      name={name}
      below={destination ? undefined : user.name}
      action={
        mayRemove && (
          <RemoveButton
            label={`Remove ${name}`}
            isRunning={unsubscribe.isPending}
            onClick={() => unsubscribe.mutate({ params: { id: alert_id, subscriptionId: id } })}
          />
        )
      }
    />
  );
}
