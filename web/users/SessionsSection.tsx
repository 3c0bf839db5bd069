import { browserName } from '@telltale/domain/users/browser-name.ts';
import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { Button } from 'antd';
import { RowButton } from '../ui/RowButton.tsx';
import { Section } from '../ui/Section.tsx';
import { StateLabel } from '../ui/StateLabel.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import styles from './FactorSections.module.css';
import { useRevokeOtherSessions, useRevokeSession, useUserSessions } from './useSessions.ts';

/** The signed-in browsers; each can be signed out from here. */
export function SessionsSection({ user }: { user: UserDetail }) {
  const { data: sessions } = useUserSessions(user.id);
  const revoke = useRevokeSession();
  const revokeOthers = useRevokeOtherSessions();
  if (!sessions) return null;
  const others = sessions.filter((session) => !session.is_current);
  return (
    <Section title="Sessions">
      {sessions.length === 0 && <p className={styles.quiet}>No browser is signed in.</p>}
      {sessions.length > 0 && (
        <ul className={styles.list}>
          {sessions.map((session) => {
            const name = browserName(session.user_agent);
            return (
              <li key={session.id} className={styles.item}>
                <span className={styles.what}>
                  <span className={styles.name}>
                    {name}
                    {session.is_current && <StateLabel tone="ok">This browser</StateLabel>}
                  </span>
                  <span className={styles.quiet}>
                    {session.address || 'Unknown address'} · last used <TimeAgo date={session.last_seen_at} />
                  </span>
                </span>
                {!session.is_current && (
                  <RowButton
                    thing={`${name} at ${session.address}`}
                    danger
                    loading={revoke.isPending && revoke.variables.params.sessionId === session.id}
                    onClick={() => revoke.mutate({ params: { id: user.id, sessionId: session.id } })}
                  >
                    Sign out
                  </RowButton>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {others.length > 1 && (
        <Button loading={revokeOthers.isPending} onClick={() => revokeOthers.mutate({ params: { id: user.id } })}>
          {others.length === sessions.length ? 'Sign out everywhere' : 'Sign out everywhere else'}
        </Button>
      )}
    </Section>
  );
}
