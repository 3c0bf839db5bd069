import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { Select } from 'antd';
import { SourceLogo } from '../data-sources/logos/SourceLogo.tsx';
import styles from './SourceSelect.module.css';

interface SourceSelectProps {
  sources: readonly DataSource[];
  value: number | null;
  onChange: (source: DataSource) => void;
  isDisabled?: boolean;
}

/** Q6: view-only sources are offered only where the query already uses one. */
export const selectableSources = (sources: readonly DataSource[], current: number | null): DataSource[] =>
  sources.filter(({ view_only, id }) => !view_only || id === current);

/** Screens 5.8 */
export function SourceSelect({ sources, value, onChange, isDisabled = false }: SourceSelectProps) {
  const offered = selectableSources(sources, value);
  return (
    <Select
      className={styles.select ?? ''}
      aria-label="Data source"
      placeholder="Choose data source..."
      value={value === null ? null : offered.some(({ id }) => id === value) ? value : null}
      disabled={isDisabled}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      options={offered.map(({ id, name, type }) => ({ value: id, label: name, type }))}
      optionRender={({ data }) => <Named name={data.label} type={data.type} />}
      labelRender={({ label, value: id }) => (
        <Named name={String(label ?? '')} type={sources.find((source) => source.id === id)?.type ?? ''} />
      )}
      onChange={(id) => {
        const source = sources.find((one) => one.id === id);
        if (source) onChange(source);
      }}
    />
  );
}

function Named({ name, type }: { name: string; type: string }) {
  return (
    <span className={styles.named}>
      <SourceLogo type={type} size={18} />
      <span className={styles.name}>{name}</span>
    </span>
  );
}
