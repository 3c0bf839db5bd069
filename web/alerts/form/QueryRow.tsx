import ExportOutlined from '@ant-design/icons/ExportOutlined';
import type { QuerySetting } from '@telltale/domain/alerts/contract.ts';
import { refreshText } from '@telltale/domain/schedules/intervals.ts';
import { useId } from 'react';
import { localSchedule } from '../../queries/localSchedule.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import type { AlertDraft } from '../draft.ts';
import styles from './Form.module.css';
import { QuerySelect } from './QuerySelect.tsx';
import { Row } from './Row.tsx';
import { Warning } from './Warning.tsx';

interface QueryRowProps {
  query: AlertDraft['query'];
  /** Facts about the query; undefined before they are read. */
  setting: Pick<QuerySetting, 'schedule' | 'parameters'> | undefined;
  onChange?: (query: AlertDraft['query']) => void;
}

/** The query with a link to it, and the problems that keep its alert from working. */
export function QueryRow({ query, setting, onChange }: QueryRowProps) {
  const id = useId();
  return (
    <Row label="Query">
      {onChange && (
        <>
          <label htmlFor={id} className="visually-hidden">
            Query
          </label>
          <QuerySelect id={id} value={query} onChange={onChange} />
        </>
      )}
      {query && <QueryLink query={query} hasName={!onChange} />}
      {query && setting && <ScheduleNote schedule={setting.schedule} />}
      {setting && setting.parameters > 0 && <Warning>Alerts do not work with queries that use parameters.</Warning>}
    </Row>
  );
}

function QueryLink({ query: { id, name }, hasName }: { query: { id: number; name: string }; hasName: boolean }) {
  return (
    <span className={hasName ? styles.text : styles.hint}>
      <a href={`/queries/${id}`} target="_blank" rel="noopener" title="Open query in a new tab.">
        {hasName ? name : 'Open query in a new tab.'} <ExportOutlined aria-hidden />
      </a>
    </span>
  );
}

function ScheduleNote({ schedule }: Pick<QuerySetting, 'schedule'>) {
  const local = localSchedule(schedule);
  if (local) return <p className={styles.hint}>{refreshText(local).replace(/^Refreshes/, 'Scheduled to refresh')}</p>;
  return (
    <Warning>
      This query has no refresh schedule.{' '}
      <Tooltip title="An alert looks at a query each time the query runs. Without a schedule that is only when somebody runs it.">
        <button type="button" className={styles.why}>
          Why it's recommended
        </button>
      </Tooltip>
    </Warning>
  );
}
