import type { AlertSubscription } from '@telltale/domain/alerts/contract.ts';
import { type Destination, destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { call } from '../../api/call.ts';
import { useCan } from '../../api/session.ts';
import { DestinationMark } from '../../destinations/DestinationMark.tsx';
import { PictureName } from '../../ui/PictureName.tsx';
import { SelectItemsDialog } from '../../ui/SelectItemsDialog.tsx';
import { useSubscribe } from '../useAlerts.ts';
import { listed, matching } from './matching.ts';
import styles from './Panel.module.css';

interface AddDestinationsDialogProps {
  alertId: number;
  subscribed: readonly AlertSubscription[];
  onClose: () => void;
}

const findDestinations = async (term: string, signal: AbortSignal): Promise<Destination[]> =>
  matching(listed(await call(destinationsApi.list, {}, { signal })), term);

/** Screens 11 */
export default function AddDestinationsDialog({ alertId, subscribed, onClose }: AddDestinationsDialogProps) {
  const subscribe = useSubscribe();
  const isAdmin = useCan()('admin');
  return (
    <SelectItemsDialog
      title="Add Existing Alert Destinations"
      placeholder="Search destinations..."
      hasCount
      find={findDestinations}
      keyOf={({ id }) => id}
      draw={({ type, name }) => <PictureName picture={<DestinationMark type={type} />} name={name} />}
      isTaken={({ id }) => subscribed.some(({ destination }) => destination?.id === id)}
      save={({ id }) => subscribe.mutateAsync({ params: { id: alertId }, body: { alert_id: alertId, destination_id: id } })}
      onClose={onClose}
      footer={
        isAdmin && (
          <p className={styles.note}>
            <span>
              Create new destinations in{' '}
              <a href="/destinations/new" target="_blank" rel="noopener">
                Alert Destinations
              </a>
            </span>
          </p>
        )
      }
    />
  );
}
