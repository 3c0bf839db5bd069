import { FormDialog } from '../ui/FormDialog.tsx';
import { passwordFields } from './passwordFields.ts';
import { useSaveUser } from './useUsers.ts';

export default function ChangePasswordDialog({ userId, onClose }: { userId: number; onClose: () => void }) {
  const save = useSaveUser();
  return (
    <FormDialog
      title="Change Password"
      okText="Update Password"
      fields={passwordFields}
      onSubmit={({ old_password, password }) =>
        save.mutateAsync({ params: { id: userId }, body: { id: userId, old_password: String(old_password), password: String(password) } })
      }
      onClose={onClose}
    />
  );
}
