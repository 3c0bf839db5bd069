import DownloadOutlined from '@ant-design/icons/DownloadOutlined';
import { type AuditEntry, auditApi } from '@telltale/domain/audit/contract.ts';
import { addressOf } from '@telltale/domain/endpoint.ts';
import { Button } from 'antd';
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import { useSearchParams } from 'react-router';
import { useList, useRead } from '../api/query.ts';
import { AdminFrame } from '../layout/AdminFrame.tsx';
import { DayInput } from '../ui/DayInput.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import styles from './AuditPage.module.css';
import { PersonSelect } from './PersonSelect.tsx';

dayjs.extend(customParseFormat);

const columns: readonly Column<AuditEntry>[] = [
  { title: 'Time', cell: ({ at }) => <TimeAgo date={at} />, width: 136 },
  { title: 'Person', cell: ({ user, key }) => <Who user={user} by={key} />, width: 208 },
  { title: 'Action', cell: ({ action }) => action, width: 152 },
  { title: 'Object', cell: (entry) => <What entry={entry} /> },
  { title: 'Details', cell: ({ details }) => detailText(details), hideBelow: 960 },
  { title: 'Address', cell: ({ address }) => address, width: 144, hideBelow: 800 },
];

const filters = ['user_id', 'action', 'object_type', 'from', 'to'] as const;
type Filter = (typeof filters)[number];

/** Days begin by the viewer's clock, as the times are shown; a text that is no day filters nothing. */
function sentValue(name: Filter, text: string): string {
  if (name !== 'from' && name !== 'to') return text;
  const day = dayjs(text, 'YYYY-MM-DD', true);
  return day.isValid() ? day.toISOString() : '';
}

/** /admin/audit: who did what to which object; the filters are in the address. */
export function AuditPage() {
  const [search, setSearch] = useSearchParams();
  const given = Object.fromEntries(filters.map((name) => [name, sentValue(name, search.get(name) ?? '')]).filter(([, value]) => value));
  const entries = useList(auditApi.list, { order: '', remember: 'audit', query: given as never });
  const choices = useRead(auditApi.choices, {});
  const set = (name: Filter, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        next.delete('page');
        return next;
      },
      { replace: true },
    );
  const file = addressOf('/api/audit', {}, { ...given, q: entries.q, format: 'csv' });
  return (
    <AdminFrame>
      <ItemsPage
        title="Audit Log"
        level={2}
        items={entries}
        columns={columns}
        searchPlaceholder="Search names, addresses..."
        action={
          <Button href={file} icon={<DownloadOutlined />} download>
            Download CSV
          </Button>
        }
        notice={
          <div className={styles.filters}>
            <PersonSelect value={search.get('user_id') ?? ''} onChange={(id) => set('user_id', id)} />
            <Choice
              label="Action"
              all="All actions"
              value={search.get('action') ?? ''}
              options={choices.data?.actions ?? []}
              onChange={(value) => set('action', value)}
            />
            <Choice
              label="Object type"
              all="All objects"
              value={search.get('object_type') ?? ''}
              options={choices.data?.object_types ?? []}
              onChange={(value) => set('object_type', value)}
            />
            <span className={styles.day}>
              <span aria-hidden>From</span>
              <DayInput label="From" value={search.get('from') ?? ''} onChange={(day) => set('from', day)} />
            </span>
            <span className={styles.day}>
              <span aria-hidden>Before</span>
              <DayInput label="Before" value={search.get('to') ?? ''} onChange={(day) => set('to', day)} />
            </span>
          </div>
        }
        empty={<EmptyState>Nothing matches. Changes and sign-ins are noted here.</EmptyState>}
      />
    </AdminFrame>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string;
  options: readonly string[];
  onChange: (value: string) => void;
}

const Choice = ({ label, all, value, options, onChange }: ChoiceProps) => (
  <select className={styles.choice} aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
    <option value="">{all}</option>
    {[...new Set([...options, ...(value ? [value] : [])])].map((option) => (
      <option key={option} value={option}>
        {option}
      </option>
    ))}
  </select>
);

const Who = ({ user, by }: { user: AuditEntry['user']; by: string | undefined }) => (
  <span className={styles.two}>
    <span>{user ? user.name || user.email : 'Nobody signed in'}</span>
    {by && <span className={styles.small}>{by}</span>}
  </span>
);

const What = ({ entry: { object_type, object_id, object_name } }: { entry: AuditEntry }) => {
  const kindAndId = object_id ? `${object_type} ${object_id}` : object_type;
  if (object_name === null) return <span>{kindAndId}</span>;
  return (
    <span className={styles.two}>
      <span>{object_name}</span>
      <span className={styles.small}>{kindAndId}</span>
    </span>
  );
};

function detailText(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => (name === 'fields' && Array.isArray(value) ? value.join(', ') : `${name}: ${String(value)}`))
    .join('; ');
}
