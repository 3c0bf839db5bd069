import type { AlertKind } from '@telltale/domain/alerts/options.ts';
import { Radio } from 'antd';
import { useEffect } from 'react';
import { useCan } from '../../api/session.ts';
import type { AlertDraft } from '../draft.ts';
import { useQuerySetting } from '../useAlerts.ts';
import { Criteria } from './Criteria.tsx';
import { DeviceRows } from './DeviceRows.tsx';
import styles from './Form.module.css';
import { QueryRow } from './QueryRow.tsx';
import { RearmRow } from './RearmRow.tsx';
import { Row } from './Row.tsx';
import { TemplateRow } from './TemplateRow.tsx';
import { Warning } from './Warning.tsx';

interface AlertFormProps {
  draft: AlertDraft;
  alertId: number | null;
  /** The name as it will be saved. */
  name: string;
  onChange: (changes: Partial<AlertDraft>) => void;
}

const kinds: readonly { value: AlertKind; label: string }[] = [
  { value: 'query', label: 'Query' },
  { value: 'device', label: 'Device attribute' },
  { value: 'silence', label: 'Silence' },
];

/** The form of an alert: the watched object, the condition, the frequency of notifications and their texts. */
export function AlertForm({ draft, alertId, name, onChange }: AlertFormProps) {
  const hasDevices = useCan()('view_channel');
  const { kind, query, column } = draft;
  const { data: setting, error, isPending } = useQuerySetting(kind === 'query' ? query?.id : undefined);
  const columns = setting?.columns;
  // Screens 11: selects the first column, where none is chosen or the chosen one is gone.
  useEffect(() => {
    const first = columns?.[0];
    if (first && columns.every((one) => one.name !== column)) onChange({ column: first.name });
  }, [columns, column, onChange]);

  const isReady = kind === 'query' ? query !== null && (!isPending || error !== null) : draft.channel_id !== '';
  return (
    <div className={styles.form}>
      {(hasDevices || kind !== 'query') && (
        <Row label="Watch">
          <Radio.Group
            aria-label="Watch"
            optionType="button"
            value={kind}
            options={[...kinds]}
            onChange={({ target }) => onChange({ kind: target.value })}
          />
        </Row>
      )}
      {kind === 'query' && <QueryRow query={query} setting={setting} onChange={(chosen) => onChange({ query: chosen, column: '' })} />}
      {kind === 'query' && query && isPending && !error && (
        <p className={styles.loading} role="status">
          Loading query data
        </p>
      )}
      {kind === 'query' && query && error && <Warning>{`The data of this query could not be read: ${error.message}`}</Warning>}
      {kind === 'query' && query && setting && setting.columns.length === 0 && (
        <Warning>This query has no result yet. Name the column to watch, or run the query first.</Warning>
      )}
      {kind === 'query' && isReady && <Criteria draft={draft} setting={setting} onChange={onChange} />}
      {kind !== 'query' && <DeviceRows draft={draft} onChange={onChange} />}
      {isReady && (
        <>
          <RearmRow rearm={draft.rearm} onChange={(rearm) => onChange({ rearm })} />
          <TemplateRow draft={draft} source={{ alertId, name, columns: columns ?? [], rows: setting?.rows ?? [] }} onChange={onChange} />
        </>
      )}
    </div>
  );
}
