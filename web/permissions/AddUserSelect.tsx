import { Select } from 'antd';
import { useState } from 'react';
import { Person } from '../ui/Person.tsx';
import { useDelayed } from '../ui/useDelayed.ts';
import { useFoundUsers } from './useGrants.ts';

interface AddUserSelectProps {
  /** Users already in the list, who are not offered again. */
  taken: readonly number[];
  isBusy: boolean;
  onChoose: (user: { id: number }) => void;
}

/** Screens 7: one searchable list, 200 ms after the last key; choosing a user adds them. */
export function AddUserSelect({ taken, isBusy, onChoose }: AddUserSelectProps) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const term = useDelayed(typed.trim());
  const found = useFoundUsers(term, isOpen);
  const offered = (found.data?.results ?? []).filter(({ id, is_disabled }) => !taken.includes(id) && !is_disabled);
  return (
    <Select
      aria-label="Add users"
      placeholder="Add users..."
      style={{ width: '100%' }}
      value={null}
      loading={isBusy || found.isFetching}
      disabled={isBusy}
      open={isOpen}
      onOpenChange={setOpen}
      showSearch={{ filterOption: false, onSearch: setTyped, searchValue: typed }}
      notFoundContent={found.isFetching ? 'Loading...' : found.isError ? found.error.message : 'No users match your search.'}
      options={offered.map((user) => ({ value: user.id, label: user.name, user }))}
      optionRender={({ data: { user } }) => <Person name={user.name} email={user.email} image={user.profile_image_url} />}
      onChange={(id: number | null) => {
        if (id === null) return;
        setTyped('');
        setOpen(false);
        onChoose({ id });
      }}
    />
  );
}
