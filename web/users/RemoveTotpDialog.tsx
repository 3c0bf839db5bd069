import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { proofField } from './proofField.ts';
import { useRemoveTotp } from './useTotp.ts';

export function RemoveTotpDialog({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const remove = useRemoveTotp();
  return (
    <FormDialog
      title={`Turn off two-step sign-in of ${user.name}`}
      okText="Turn off"
      fields={[proofField]}
      showsErrors
      onSubmit={({ old_password }) => remove.mutateAsync({ params: { id: user.id }, body: { old_password: String(old_password) } })}
      onClose={onClose}
    />
  );
}
