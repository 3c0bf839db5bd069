import type { Network } from '@telltale/domain/networks/contract.ts';
import { Button } from 'antd';
import { useId } from 'react';
import { CopyField } from '../ui/CopyField.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Section } from '../ui/Section.tsx';
import styles from './Networks.module.css';
import { useRotateWebhookSecret } from './useNetworks.ts';

/** The webhook's address for the network, and the secret that authenticates it. */
export function Webhook({ network: { id, name, webhook_url, webhook_secret }, hint }: { network: Network; hint: string }) {
  const fieldId = useId();
  const rotate = useRotateWebhookSecret();
  const ask = () =>
    confirm({
      title: 'Rotate Secret',
      content: `“${name}” cannot post until it has the new secret.`,
      okText: 'Rotate secret',
      danger: true,
      onOk: () => rotate.mutateAsync({ params: { id } }),
    });
  return (
    <Section level={2} title="Webhook">
      <p className={styles.hint}>{hint}</p>
      <div className={styles.details}>
        <label htmlFor={`${fieldId}-url`}>Webhook URL</label>
        <CopyField id={`${fieldId}-url`} label="Webhook URL" value={webhook_url} />
        <label htmlFor={`${fieldId}-header`}>Authorization header</label>
        <CopyField id={`${fieldId}-header`} label="Authorization header" value={`Bearer ${webhook_secret}`} isSecret />
      </div>
      <Button onClick={() => void ask()}>Rotate secret</Button>
    </Section>
  );
}
