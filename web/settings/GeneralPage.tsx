import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import styles from './SettingsForm.module.css';
import { SettingsForm } from './SettingsForm.tsx';
import { useSettings } from './useSettings.ts';

/** /settings/general: settings of the organisation (A2). */
export function GeneralPage() {
  const { data, error, refetch } = useSettings();
  return (
    <SettingsFrame>
      <div className={styles.page}>
        <PageHeader level={2} title="Organization settings" />
        {error && !data && <ErrorState error={error} onRetry={refetch} />}
        {!error && !data && <FormSkeleton rows={8} />}
        {data && <SettingsForm reply={data} />}
      </div>
    </SettingsFrame>
  );
}
