import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { Link, useParams } from 'react-router';
import { useCan, useSession } from '../api/session.ts';
import { useAllGroups } from '../groups/useGroups.ts';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { useTitle } from '../layout/useTitle.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { MailWarning } from '../ui/MailWarning.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { StateLabel } from '../ui/StateLabel.tsx';
import { ApiKeySection } from './ApiKeySection.tsx';
import { PasskeysSection } from './PasskeysSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProfileCard } from './ProfileCard.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { ToggleUserButton } from './ToggleUserButton.tsx';
import { TotpSection } from './TotpSection.tsx';
import styles from './UserPage.module.css';
import { usePasskeys } from './usePasskeys.ts';
import { useUserSessions } from './useSessions.ts';
import { useTotp } from './useTotp.ts';
import { useUser } from './useUsers.ts';

/** /users/me and /users/:userId. */
export function UserPage() {
  const me = useSession().user.id;
  const { userId } = useParams();
  const { data: user, error, refetch } = useUser(userId === undefined ? me : Number(userId));
  useTitle(user && user.id !== me ? user.name : undefined);
  return (
    <SettingsFrame>
      {error && !user && <ErrorState error={error} onRetry={refetch} action={<Link to="/users">Users</Link>} />}
      {!error && !user && (
        <div className={styles.page}>
          <FormSkeleton />
        </div>
      )}
      {user && <Profile user={user} />}
    </SettingsFrame>
  );
}

/** A2: editable for administrators and the user, otherwise a card. */
function Profile({ user }: { user: UserDetail }) {
  const isSelf = useSession().user.id === user.id;
  const isAdmin = useCan()('admin');
  const isEditable = isAdmin || isSelf;
  return (
    <div className={styles.page}>
      <PageHeader level={2} title={<Title user={user} />} action={isAdmin && !isSelf && <ToggleUserButton user={user} />} />
      <MailWarning feature="invite emails" adminOnly />
      {isEditable ? <EditableProfile user={user} isSelf={isSelf} /> : <ProfileCard user={user} />}
    </div>
  );
}

/** All parts are drawn together: none moves another when it arrives. */
function EditableProfile({ user, isSelf }: { user: UserDetail; isSelf: boolean }) {
  const groups = useAllGroups();
  const parts = [useTotp(user.id), usePasskeys(user.id), useUserSessions(user.id)];
  if (!groups || parts.some(({ isPending }) => isPending)) return <FormSkeleton />;
  return (
    <>
      <ProfileForm key={user.id} user={user} groups={groups} isSelf={isSelf} />
      {!user.is_disabled && (
        <>
          <ApiKeySection user={user} />
          <PasswordSection user={user} isSelf={isSelf} />
          <TotpSection user={user} isSelf={isSelf} />
          <PasskeysSection user={user} isSelf={isSelf} />
          <SessionsSection user={user} />
        </>
      )}
    </>
  );
}

function Title({ user }: { user: UserDetail }) {
  return (
    <span className={styles.title}>
      <Avatar name={user.name} image={user.profile_image_url} size={40} />
      <span className={styles.name}>{user.name}</span>
      {user.is_disabled && <StateLabel tone="neutral">Disabled</StateLabel>}
      {!user.is_disabled && user.is_invitation_pending && <StateLabel tone="info">Invitation pending</StateLabel>}
    </span>
  );
}
