import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { type UserDetail, usersApi } from '@telltale/domain/users/contract.ts';
import { type ApiError, errorReason } from '../api/ApiError.ts';
import { useList, useRead, useWrite } from '../api/query.ts';
import { findSession, setSession } from '../api/session.ts';
import { saveFailure } from '../data-sources/saveFailure.ts';
import { notify } from '../ui/notify.tsx';
import { notifyWithUndo } from '../ui/notifyWithUndo.tsx';

export type UsersView = 'active' | 'pending' | 'disabled';

/** A7: the filters of each view. */
const filters = {
  active: { pending: 'false' },
  pending: { pending: 'true' },
  disabled: { disabled: 'true' },
} as const;

const everyUserRead = [usersApi.list, usersApi.get, groupsApi.members];

export const useUsers = (view: UsersView) => useList(usersApi.list, { order: '-created_at', remember: 'users', query: filters[view] });

export const useUser = (id: number) => useRead(usersApi.get, { params: { id } });

export const useCreateUser = () => useWrite(usersApi.create, { refresh: [usersApi.list], saved: 'Saved.', failed: false });

export const useSaveUser = () =>
  useWrite(usersApi.save, {
    refresh: everyUserRead,
    saved: 'Saved.',
    failed: saveFailure,
    onDone: showOwnChanges,
  });

export const useEnableUser = () =>
  useWrite(usersApi.enable, {
    refresh: everyUserRead,
    saved: ({ name }) => `User ${name} is now enabled.`,
    failed: cannot('enable'),
  });

export function useDisableUser() {
  const enable = useEnableUser();
  return useWrite(usersApi.disable, {
    refresh: everyUserRead,
    onDone: ({ id, name }) => notifyWithUndo('warning', `User ${name} is now disabled.`, () => enable.mutate({ params: { id } })),
    failed: cannot('disable'),
  });
}

export const useDeleteUser = () =>
  useWrite(usersApi.remove, {
    refresh: everyUserRead,
    onDone: ({ name }) => notify.warning(`User ${name} has been deleted.`),
    failed: cannot('delete'),
  });

export const useRegenerateApiKey = () =>
  useWrite(usersApi.regenerateKey, {
    refresh: [usersApi.get],
    saved: 'The API Key has been updated.',
    failed: 'Failed regenerating API Key',
  });

export const useResendInvitation = () =>
  useWrite(usersApi.invite, {
    onDone: ({ invite_link }) => (invite_link ? warnAboutMail() : notify.success('Invitation sent.')),
    failed: 'Failed to resend invitation',
  });

export const useSendPasswordReset = () =>
  useWrite(usersApi.resetPassword, {
    onDone: ({ reset_link }) => (reset_link ? warnAboutMail() : notify.success('Password reset email sent.')),
    failed: 'Failed to send password reset email',
  });

const warnAboutMail = () => notify.warning('The mail server is not configured.');

/** A8: the failure as title, below it the server's message, else the status text; a missing answer has a text of its own. */
const cannot = (deed: string) => (error: ApiError) => {
  const reason = errorReason(error) ?? (error.status === 0 ? error.message : error.statusText);
  notify.error(`Cannot ${deed} user`, { description: reason || 'Unknown error' });
  return null;
};

/** The frame shows the signed-in user: a new name must not wait for the next visit. */
function showOwnChanges({ id, name, email, profile_image_url }: UserDetail): void {
  const session = findSession();
  if (session?.user.id === id) setSession({ ...session, user: { ...session.user, name, email, profile_image_url } });
}
