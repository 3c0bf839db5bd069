import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { accessName } from '../sourceAccess.ts';
import styles from './AccessSelect.module.css';
import { useChangeAccess } from './useGroupSources.ts';

interface AccessSelectProps {
  groupId: number;
  source: DataSource;
  /** Reads the list again. */
  onChanged: () => Promise<unknown>;
}

/** Applies at once; until the list is read again it shows the new choice. */
export function AccessSelect({ groupId, source, onChanged }: AccessSelectProps) {
  const change = useChangeAccess(onChanged);
  const isViewOnly = change.isPending ? change.variables.body.view_only : source.view_only;
  return (
    <select
      className={styles.access}
      aria-label={`Access to ${source.name}`}
      aria-busy={change.isPending}
      value={String(isViewOnly)}
      onChange={(event) =>
        change.mutate({ params: { id: groupId, dataSourceId: source.id }, body: { view_only: event.target.value === 'true' } })
      }
    >
      {[false, true].map((value) => (
        <option key={String(value)} value={String(value)}>
          {accessName(value)}
        </option>
      ))}
    </select>
  );
}
