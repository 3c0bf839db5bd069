import { deliveriesApi } from '@telltale/domain/commands/contract.ts';
import type { Delivery, DeliveryLogRow } from '@telltale/domain/commands/delivery.ts';
import { useRead } from '../../api/query.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { momentText } from '../../ui/momentText.ts';
import styles from './Deliveries.module.css';
import { reasonText, stateNames } from './deliveryText.ts';

const nameOf = (state: string): string => stateNames[state as keyof typeof stateNames] ?? state;

/** The events of one delivery in order of arrival. */
export function DeliveryLog({ id, delivery }: { id: string; delivery: Delivery }) {
  const { data, error, refetch } = useRead(
    deliveriesApi.get,
    { params: { id: delivery.id } },
    { refetchInterval: delivery.is_final ? false : 3000 },
  );
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div id={id} className={styles.logFrame} tabIndex={0}>
      <table className={styles.events} aria-label="Log" aria-busy={!data}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Attempt</th>
            <th scope="col">State</th>
            <th scope="col">Details</th>
          </tr>
        </thead>
        <tbody>
          {data?.log.map((row) => (
            <tr key={row.id}>
              <td>
                <time dateTime={row.at}>{momentText(row.at, 'millisecond')}</time>
              </td>
              <td>{row.attempt || ''}</td>
              <td>{nameOf(row.state)}</td>
              <td>{detailsOf(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function detailsOf({ reason, is_late, raw }: DeliveryLogRow) {
  const words = [reason && reasonText(reason), is_late && 'came late, changes nothing'].filter(Boolean).join('; ');
  return (
    <>
      {words}
      {raw !== null && raw !== undefined && <code className={styles.raw}>{typeof raw === 'string' ? raw : JSON.stringify(raw)}</code>}
    </>
  );
}
