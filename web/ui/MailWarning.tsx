import { Alert } from 'antd';
import { useCan, useSession } from '../api/session.ts';

interface MailWarningProps {
  /** The feature that will not work: "invite emails". */
  feature: string;
  /** Only administrators see the warning, because others cannot fix it. */
  adminOnly?: boolean;
}

export function MailWarning({ feature, adminOnly = false }: MailWarningProps) {
  const { client_config } = useSession();
  const can = useCan();
  if (!client_config.mailSettingsMissing || (adminOnly && !can('admin'))) return null;
  return <Alert type="warning" showIcon title={`Your mail server isn't configured correctly, and is needed for ${feature} to work.`} />;
}
