import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useCan } from '../api/session.ts';
import { Section } from '../ui/Section.tsx';
import { EmailNotSentDialog } from './EmailNotSentDialog.tsx';
import { useResendInvitation, useSendPasswordReset } from './useUsers.ts';

const ChangePasswordDialog = lazy(() => import('./ChangePasswordDialog.tsx'));

/** A2: users change their own password; administrators send a link to others. */
export function PasswordSection({ user, isSelf }: { user: UserDetail; isSelf: boolean }) {
  const isAdmin = useCan()('admin');
  if (!isSelf && !isAdmin) return null;
  return <Section title="Password">{isSelf ? <ChangePassword userId={user.id} /> : <SendLink user={user} />}</Section>;
}

function ChangePassword({ userId }: { userId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Change Password</Button>
      {isOpen && (
        <Suspense>
          <ChangePasswordDialog userId={userId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function SendLink({ user }: { user: UserDetail }) {
  const [link, setLink] = useState<string | null>(null);
  const invite = useResendInvitation();
  const reset = useSendPasswordReset();
  const input = { params: { id: user.id } };
  return (
    <>
      {user.is_invitation_pending ? (
        <Button
          loading={invite.isPending}
          onClick={() => invite.mutate(input, { onSuccess: ({ invite_link }) => setLink(invite_link ?? null) })}
        >
          Resend Invitation
        </Button>
      ) : (
        <Button
          loading={reset.isPending}
          onClick={() => reset.mutate(input, { onSuccess: ({ reset_link }) => setLink(reset_link ?? null) })}
        >
          Send Password Reset Email
        </Button>
      )}
      {link && <EmailNotSentDialog name={user.name} link={link} onClose={() => setLink(null)} />}
    </>
  );
}
