import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { Field } from '../ui/form/field.ts';
import { useCreateUser } from './useUsers.ts';

const fields: readonly Field[] = [
  { name: 'name', title: 'Name', type: 'text', required: true, autoFocus: true, autoComplete: 'off' },
  { name: 'email', title: 'Email', type: 'email', required: true, autoComplete: 'off' },
];

interface NewUserDialogProps {
  onCreated: (user: UserDetail) => void;
  onClose: () => void;
}

export function NewUserDialog({ onCreated, onClose }: NewUserDialogProps) {
  const create = useCreateUser();
  return (
    <FormDialog
      title="Create a New User"
      okText="Create"
      fields={fields}
      showsErrors
      onSubmit={async ({ name, email }) => onCreated(await create.mutateAsync({ body: { name: String(name), email: String(email) } }))}
      onClose={onClose}
    />
  );
}
