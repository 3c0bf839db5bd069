import { useState } from 'react';
import { useNavigate } from 'react-router';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { Field } from '../ui/form/field.ts';
import { useCreateGroup } from './useGroups.ts';

const fields: readonly Field[] = [
  { name: 'name', title: 'Name', type: 'text', required: true, placeholder: 'Group name', autoFocus: true, autoComplete: 'off' },
];

/** Leads to the new group, to add members. */
export default function NewGroupDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateGroup();
  const navigate = useNavigate();
  const [createdId, setCreatedId] = useState<number | null>(null);
  return (
    <FormDialog
      title="Create a New Group"
      okText="Create"
      fields={fields}
      onSubmit={async ({ name }) => setCreatedId((await create.mutateAsync({ body: { name: String(name) } })).id)}
      onClose={() => {
        onClose();
        if (createdId !== null) navigate(`/groups/${createdId}`);
      }}
    />
  );
}
