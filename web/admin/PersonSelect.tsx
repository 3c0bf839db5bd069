import { usersApi } from '@telltale/domain/users/contract.ts';
import { Select } from 'antd';
import { useState } from 'react';
import { useRead } from '../api/query.ts';

interface PersonSelectProps {
  /** The id of the user as text; empty means any user. */
  value: string;
  onChange: (id: string) => void;
}

/** Finds users by name or e-mail while one types. */
export function PersonSelect({ value, onChange }: PersonSelectProps) {
  const [term, setTerm] = useState('');
  const found = useRead(usersApi.list, { query: { q: term, order: 'name', page_size: 50 } });
  const chosen = useRead(usersApi.get, { params: { id: Number(value) } }, { enabled: value !== '' });
  const people = [...(found.data?.results ?? [])];
  const options = people.map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` }));
  if (chosen.data && value && !options.some((option) => option.value === value)) options.unshift({ value, label: chosen.data.name });
  return (
    <Select
      aria-label="Person"
      allowClear
      showSearch={{ filterOption: false, onSearch: setTerm }}
      placeholder="All people"
      value={value || null}
      options={options}
      onChange={(id) => onChange(id ?? '')}
      popupMatchSelectWidth={false}
      // A long name is cut at the end of the field.
      style={{ width: 320, maxWidth: 'calc(100vw - 48px)' }}
    />
  );
}
