import type { TotpReply } from '@telltale/domain/users/factors-contract.ts';
import { useState } from 'react';
import { CopyButton } from '../ui/CopyButton.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { Field } from '../ui/form/field.ts';
import styles from './FactorSections.module.css';
import { proofField } from './proofField.ts';
import { useSaveTotp } from './useTotp.ts';

interface EnrolTotpDialogProps {
  userId: number;
  onClose: () => void;
}

/** Three steps: the password, the QR code with the first code, the recovery codes. */
export default function EnrolTotpDialog({ userId, onClose }: EnrolTotpDialogProps) {
  const save = useSaveTotp();
  const [begun, setBegun] = useState<TotpReply | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [step, setStep] = useState<'password' | 'code' | 'codes'>('password');
  const params = { id: userId };

  if (step === 'codes' && codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (step === 'code' && begun)
    return (
      <FormDialog
        key="code"
        title="Turn on two-step sign-in"
        okText="Turn on"
        fields={[{ name: 'picture', title: '', type: 'content', content: <Picture begun={begun} /> }, codeField]}
        showsErrors
        onSubmit={async ({ code }) => setCodes((await save.mutateAsync({ params, body: { code: String(code) } })).recovery_codes ?? [])}
        onClose={() => (codes ? setStep('codes') : onClose())}
      />
    );
  return (
    <FormDialog
      key="password"
      title="Turn on two-step sign-in"
      okText="Continue"
      fields={[proofField]}
      showsErrors
      onSubmit={async ({ old_password }) => setBegun(await save.mutateAsync({ params, body: { old_password: String(old_password) } }))}
      onClose={() => (begun ? setStep('code') : onClose())}
    />
  );
}

const codeField: Field = {
  name: 'code',
  title: 'Code',
  type: 'text',
  required: true,
  autoFocus: true,
  autoComplete: 'one-time-code',
  info: 'The six digits that the app shows now.',
};

function Picture({ begun: { qr = '', secret = '' } }: { begun: TotpReply }) {
  return (
    <div className={styles.steps}>
      <p>Scan this QR code with your authenticator app, or type in the secret.</p>
      <img className={styles.code} src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(qr)}`} alt="QR code of the secret" />
      <CopyField label="Secret" value={secret} />
    </div>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog title="Recovery codes" okText="Done" hasCancel={false} onClose={onClose}>
      <div className={styles.steps}>
        <p>Each of these codes works once in place of the app. Keep them in a safe place: they are not shown again.</p>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={codes.join('\n')} what="recovery codes" />
      </div>
    </Dialog>
  );
}
