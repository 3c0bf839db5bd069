import { useQueryClient } from '@tanstack/react-query';
import type { Command } from '@telltale/domain/commands/contract.ts';
import type { Delivery, DeliveryState, Execution } from '@telltale/domain/commands/delivery.ts';
import { Button } from 'antd';
import { useCallback, useState } from 'react';
import { familyKey } from '../../api/queryKey.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { NoMatch } from '../../ui/NoMatch.tsx';
import { deliveryReads } from '../useCommands.ts';
import styles from './Deliveries.module.css';
import { DeliveryRow } from './DeliveryRow.tsx';
import { ExecutionHead } from './ExecutionHead.tsx';
import { StateFilter } from './StateFilter.tsx';
import { useCommandDeliveries, useCommandNews, useExecutions } from './useTimeline.ts';

export const deliveriesId = 'deliveries';

/** The history of a command: its executions with their devices, newest first, updated live. */
export function Timeline({ command }: { command: Command }) {
  const [states, setStates] = useState<readonly DeliveryState[]>([]);
  const client = useQueryClient();
  const executions = useExecutions(command.id);
  const { deliveries, isPending, error, refetch, hasMore, isLoadingMore, loadMore } = useCommandDeliveries(command.id, states);
  const readAgain = useCallback(() => {
    for (const read of deliveryReads) void client.invalidateQueries({ queryKey: familyKey(read) });
  }, [client]);
  useCommandNews(command.id, readAgain);
  return (
    <section id={deliveriesId} className={styles.timeline} aria-label="Deliveries" aria-busy={isPending}>
      <header className={styles.head}>
        <h2>Deliveries</h2>
        <StateFilter states={states} onChange={setStates} />
      </header>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!isPending && !error && deliveries.length === 0 && (states.length > 0 ? <NoMatch /> : <p className={styles.note}>Not sent yet.</p>)}
      <ol className={styles.executions}>
        {byExecution(deliveries).map(({ id, rows }) => (
          <ExecutionGroup key={id} execution={executions.get(id)} rows={rows} />
        ))}
      </ol>
      {hasMore && (
        <Button loading={isLoadingMore} onClick={loadMore}>
          Show older deliveries
        </Button>
      )}
    </section>
  );
}

function ExecutionGroup({ execution, rows }: { execution: Execution | undefined; rows: readonly Delivery[] }) {
  const [first] = rows;
  const isSame = rows.every(({ bytes_hex, fport }) => bytes_hex === first?.bytes_hex && fport === first.fport);
  return (
    <li className={styles.execution}>
      <ExecutionHead execution={execution} first={first} hasBytes={isSame} />
      <ul className={styles.deliveries}>
        {rows.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} shows="device" hasOwnBytes={!isSame} />
        ))}
      </ul>
    </li>
  );
}

function byExecution(deliveries: readonly Delivery[]): { id: number; rows: Delivery[] }[] {
  const groups = Map.groupBy(deliveries, ({ execution_id }) => execution_id);
  return [...groups].map(([id, rows]) => ({ id, rows })).sort((a, b) => b.id - a.id);
}
