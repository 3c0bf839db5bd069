import type { Group } from '@telltale/domain/groups/contract.ts';
import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { useState } from 'react';
import { ApiError } from '../api/ApiError.ts';
import { DynamicForm } from '../ui/DynamicForm.tsx';
import type { FormValues } from '../ui/form/field.ts';
import { MemberLabels } from './MemberLabels.tsx';
import { changesOf, profileFields } from './profileFields.ts';
import { proofField } from './proofField.ts';
import { useSaveUser } from './useUsers.ts';

interface ProfileFormProps {
  user: UserDetail;
  groups: readonly Group[];
  isSelf: boolean;
}

export function ProfileForm({ user, groups, isSelf }: ProfileFormProps) {
  const save = useSaveUser();
  const [needsPassword, setNeedsPassword] = useState(false);
  const areGroupsFixed = isSelf || user.is_disabled;
  const fields = profileFields(user, groups, areGroupsFixed ? <MemberLabels user={user} /> : null);
  const confirmed = needsPassword ? [...fields, proofField] : fields;
  const submit = async (values: FormValues) => {
    const { old_password } = values;
    const proof = typeof old_password === 'string' ? { old_password } : {};
    const body = { id: user.id, ...changesOf(user, values), ...proof };
    try {
      await save.mutateAsync({ params: { id: user.id }, body });
      setNeedsPassword(false);
    } catch (error) {
      // The server requires a proof for a new address when the sign-in is not recent.
      if (error instanceof ApiError && error.status === 403 && body.email !== undefined) setNeedsPassword(true);
      throw error;
    }
  };
  return <DynamicForm fields={confirmed} onSubmit={submit} />;
}
