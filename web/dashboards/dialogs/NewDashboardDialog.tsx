import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { Input } from 'antd';
import { type FormEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { useWrite } from '../../api/query.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { dashboardLists } from '../useDashboard.ts';

/** D2: creates a named draft and opens it. */
export default function NewDashboardDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const [name, setName] = useState('');
  const [url, setUrl] = useState<string | null>(null);
  const navigate = useNavigate();
  const create = useWrite(dashboardsApi.create, { refresh: dashboardLists, failed: ({ message }) => message });
  const isBlank = name.trim() === '';
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isBlank || create.isPending) return;
    try {
      const made = await create.mutateAsync({ body: { name: name.trim() } });
      setUrl(made.url);
    } catch {
      // The write notifies of the failure; the typed name stays.
    }
  };
  return (
    <Dialog
      title="New Dashboard"
      okText="Save"
      cancelText="Close"
      formId={formId}
      isOkDisabled={isBlank}
      isBusy={create.isPending}
      isOpen={url === null}
      onClose={() => (url === null ? onClose() : navigate(`${url}?edit`))}
    >
      <form id={formId} onSubmit={(event) => void save(event)}>
        <Input
          value={name}
          onChange={({ target }) => setName(target.value)}
          placeholder="Dashboard Name"
          aria-label="Dashboard Name"
          maxLength={100}
          autoComplete="off"
        />
      </form>
    </Dialog>
  );
}
