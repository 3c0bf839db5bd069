import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { Section } from '../ui/Section.tsx';
import { StateLabel } from '../ui/StateLabel.tsx';
import styles from './FactorSections.module.css';
import { RemoveTotpDialog } from './RemoveTotpDialog.tsx';
import { useTotp } from './useTotp.ts';

const EnrolTotpDialog = lazy(() => import('./EnrolTotpDialog.tsx'));

/** The second factor of a password account: users turn on their own; administrators can only remove a lost one. */
export function TotpSection({ user, isSelf }: { user: UserDetail; isSelf: boolean }) {
  const { data: totp } = useTotp(user.id);
  const [open, setOpen] = useState<'enrol' | 'remove' | null>(null);
  if (!totp || user.auth_type !== 'password' || (!isSelf && !totp.is_enabled)) return null;
  return (
    <Section title="Two-step sign-in">
      {totp.is_enabled ? (
        <>
          <StateLabel tone="ok">On</StateLabel>
          <p className={styles.quiet}>{totp.recovery_codes_left} recovery codes left.</p>
          <Button onClick={() => setOpen('remove')}>Turn off two-step sign-in</Button>
        </>
      ) : (
        <>
          <p className={styles.quiet}>After the password, a code from an authenticator app is asked for.</p>
          <Button onClick={() => setOpen('enrol')}>Turn on two-step sign-in</Button>
        </>
      )}
      {open === 'enrol' && (
        <Suspense>
          <EnrolTotpDialog userId={user.id} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'remove' && <RemoveTotpDialog user={user} onClose={() => setOpen(null)} />}
    </Section>
  );
}
