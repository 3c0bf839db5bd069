import { Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useFoundQueries } from '../../queries/useFoundQueries.ts';
import { Label } from '../../ui/Label.tsx';
import { notify } from '../../ui/notify.tsx';
import type { AlertDraft } from '../draft.ts';
import styles from './Form.module.css';

interface QuerySelectProps {
  id: string;
  value: AlertDraft['query'];
  onChange: (query: AlertDraft['query']) => void;
}

/** A9 */
const pauseMs = 200;

/** Screens 1.10: one searchable select; without a term recent queries, drafts cannot be chosen. */
export function QuerySelect({ id, value, onChange }: QuerySelectProps) {
  const [term, setTerm] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { items, error } = useFoundQueries(term);

  const search = (typed: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTerm(typed.trim()), pauseMs);
  };
  const choose = (chosen: number | undefined) => {
    if (chosen === undefined) return onChange(null);
    const found = items?.find((item) => item.id === chosen);
    // A5
    if (!found) return notify.error('Something went wrong...', { description: "Couldn't select query" });
    onChange({ id: found.id, name: found.name });
  };

  const options = (items ?? []).map(({ id: queryId, name, is_draft }) => ({
    value: queryId,
    title: name,
    disabled: is_draft,
    label: (
      <span className={styles.choice}>
        <span>{name}</span>
        {is_draft && <Label>Unpublished</Label>}
      </span>
    ),
  }));
  return (
    <Select<number>
      id={id}
      className={styles.wide ?? ''}
      placeholder="Search a query by name"
      allowClear
      showSearch={{ filterOption: false, onSearch: search }}
      value={value?.id ?? null}
      labelRender={() => value?.name}
      loading={!items && !error}
      notFoundContent={error?.message ?? (items ? 'No results matching search term.' : 'Loading...')}
      options={options}
      onChange={(chosen) => choose(chosen ?? undefined)}
      onOpenChange={(isOpen) => !isOpen && setTerm('')}
    />
  );
}
