import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { Field } from '../ui/form/field.ts';
import { RowButton } from '../ui/RowButton.tsx';
import { Section } from '../ui/Section.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import styles from './FactorSections.module.css';
import { proofField } from './proofField.ts';
import { createCredential, useAddPasskey, usePasskeys, useRemovePasskey } from './usePasskeys.ts';

const fields: readonly Field[] = [
  { name: 'name', title: 'Name', type: 'text', required: true, autoFocus: true, placeholder: 'My laptop', autoComplete: 'off' },
  proofField,
];

/** A passkey replaces password and code; users add their own, administrators can remove lost ones. */
export function PasskeysSection({ user, isSelf }: { user: UserDetail; isSelf: boolean }) {
  const { data: passkeys } = usePasskeys(user.id);
  const remove = useRemovePasskey();
  const [isOpen, setOpen] = useState(false);
  if (!passkeys || user.auth_type !== 'password' || (!isSelf && passkeys.length === 0)) return null;
  return (
    <Section title="Passkeys">
      {passkeys.length === 0 && (
        <p className={styles.quiet}>Sign in with a fingerprint, a face or a security key in place of the password.</p>
      )}
      {passkeys.length > 0 && (
        <ul className={styles.list}>
          {passkeys.map((passkey) => (
            <li key={passkey.id} className={styles.item}>
              <span className={styles.what}>
                <span className={styles.name}>{passkey.name}</span>
                <span className={styles.quiet}>
                  Last used <TimeAgo date={passkey.last_used_at} placeholder="never" />
                </span>
              </span>
              <RowButton
                thing={passkey.name}
                danger
                loading={remove.isPending && remove.variables.params.passkeyId === passkey.id}
                onClick={() => remove.mutate({ params: { id: user.id, passkeyId: passkey.id } })}
              >
                Remove
              </RowButton>
            </li>
          ))}
        </ul>
      )}
      {isSelf && <Button onClick={() => setOpen(true)}>Add passkey</Button>}
      {isOpen && <NewPasskeyDialog userId={user.id} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function NewPasskeyDialog({ userId, onClose }: { userId: number; onClose: () => void }) {
  const add = useAddPasskey();
  return (
    <FormDialog
      title="Add passkey"
      okText="Add"
      fields={fields}
      showsErrors
      onSubmit={async ({ name, old_password }) => {
        const response = await createCredential(userId, String(old_password));
        await add.mutateAsync({ params: { id: userId }, body: { name: String(name), response } });
      }}
      onClose={onClose}
    />
  );
}
