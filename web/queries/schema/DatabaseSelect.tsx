import { Select } from 'antd';
import styles from './SchemaBrowser.module.css';
import { useDatabases } from './useDatabases.ts';

interface DatabaseSelectProps {
  dataSourceId: number;
  /** Null for the source's own. */
  value: string | null;
  onChange: (database: string | null) => void;
  isDisabled: boolean;
}

/** Screens 5.7: for sources with several databases; the query runs in the one that is chosen. */
export function DatabaseSelect({ dataSourceId, value, onChange, isDisabled }: DatabaseSelectProps) {
  const read = useDatabases(dataSourceId);
  const names = read.data ?? [];
  const offered = value !== null && !names.includes(value) ? [value, ...names] : names;
  return (
    <>
      <Select
        aria-label="Database"
        value={value ?? ''}
        disabled={isDisabled}
        loading={read.isPending}
        showSearch={{ optionFilterProp: 'label' }}
        popupMatchSelectWidth={false}
        options={[{ value: '', label: 'Default database' }, ...offered.map((name) => ({ value: name, label: name }))]}
        onChange={(name: string) => onChange(name || null)}
      />
      {read.error && (
        <p className={styles.note} role="alert">
          Failed to load Database list. Please try again later.
        </p>
      )}
    </>
  );
}
