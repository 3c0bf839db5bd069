import type { Threshold } from '@telltale/domain/channels/attribute-display.ts';
import type { ChannelAttribute } from '@telltale/domain/channels/attributes-contract.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { useCan } from '../../api/session.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';
import { StateLabel } from '../../ui/StateLabel.tsx';
import { AttributeDialog } from './AttributeDialog.tsx';
import styles from './Attributes.module.css';
import { useAttributes } from './useAttributes.ts';

/** How readings of this channel are shown wherever they are: charts, counters, device pages. */
export default function AttributesTab({ channelId }: { channelId: string }) {
  const { data, error, refetch } = useAttributes(channelId);
  const canManage = useCan()('manage_channel');
  const [edited, setEdited] = useState<ChannelAttribute | null>(null);
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) return <FormSkeleton rows={4} />;
  if (data.length === 0)
    return <EmptyState>No device of this channel has reported yet. Its attributes appear with the first uplink.</EmptyState>;
  return (
    <div className={styles.tab}>
      <p className={styles.hint}>Unit, decimals and thresholds are used by charts made from device data, counters and the device pages.</p>
      <table className={styles.table} aria-label="Attributes">
        <thead>
          <tr>
            <th scope="col">Attribute</th>
            <th scope="col">Unit</th>
            <th scope="col">Decimals</th>
            <th scope="col">Thresholds</th>
            {canManage && <th aria-label="Actions" />}
          </tr>
        </thead>
        <tbody>
          {data.map((one) => (
            <tr key={one.attribute}>
              <th scope="row">{one.attribute}</th>
              <td>{one.display.unit ?? one.reported_unit ?? <span className={styles.none}>none</span>}</td>
              <td>{one.display.decimals ?? <span className={styles.none}>automatic</span>}</td>
              <td>
                <Thresholds thresholds={one.display.thresholds} />
              </td>
              {canManage && (
                <td className={styles.action}>
                  <Button size="small" aria-label={`Edit ${one.attribute}`} onClick={() => setEdited(one)}>
                    Edit
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {edited && <AttributeDialog channelId={channelId} attribute={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

function Thresholds({ thresholds }: { thresholds: readonly Threshold[] }) {
  if (thresholds.length === 0) return <span className={styles.none}>none</span>;
  return (
    <span className={styles.thresholds}>
      {thresholds.map(({ value, side, state }) => (
        <StateLabel key={`${side} ${value} ${state}`} tone={state}>
          {side === 'above' ? '≥' : '≤'} {value}
        </StateLabel>
      ))}
    </span>
  );
}
