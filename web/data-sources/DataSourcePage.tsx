import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { Alert } from 'antd';
import { Link, useParams } from 'react-router';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { useTitle } from '../layout/useTitle.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { BuiltInSource } from './BuiltInSource.tsx';
import styles from './DataSourcePage.module.css';
import { DeleteSourceButton } from './DeleteSourceButton.tsx';
import { PauseButton } from './PauseButton.tsx';
import { SourceForm } from './SourceForm.tsx';
import { SourceGroups } from './SourceGroups.tsx';
import { SourceTitle } from './SourceTitle.tsx';
import { useDataSource } from './useDataSources.ts';

/** /data_sources/:dataSourceId */
export function DataSourcePage() {
  const id = Number(useParams().dataSourceId);
  const { data, error, refetch } = useDataSource(id);
  // Administrators get the full answer, and only they come here.
  const source = data && 'options' in data ? data : undefined;
  useTitle(source?.name);
  return (
    <SettingsFrame>
      {error && !source && <ErrorState error={error} onRetry={refetch} action={<Link to="/data_sources">Data Sources</Link>} />}
      {!error && !source && (
        <div className={styles.page}>
          <FormSkeleton rows={6} />
        </div>
      )}
      {source && <SourceView key={source.id} source={source} />}
    </SettingsFrame>
  );
}

function SourceView({ source }: { source: FullDataSource }) {
  return (
    <div className={styles.page}>
      <PageHeader
        level={2}
        above={<Link to="/data_sources">Data Sources</Link>}
        title={<SourceTitle source={source} />}
        action={
          <>
            <PauseButton source={source} />
            {!source.is_built_in && <DeleteSourceButton source={source} />}
          </>
        }
      />
      {source.paused === 1 && <PausedNotice reason={source.pause_reason} />}
      {source.is_built_in ? <BuiltInSource source={source} /> : <SourceForm source={source} />}
      <SourceGroups source={source} />
    </div>
  );
}

function PausedNotice({ reason }: { reason: string | null }) {
  return (
    <Alert
      type="warning"
      showIcon
      styles={{ icon: { alignSelf: 'flex-start', marginBlockStart: 3 } }}
      title={
        <>
          <b>{reason ? `Paused: ${reason}` : 'Paused'}</b>
          <br />
          Queries are refused, and scheduled ones are skipped, until it is resumed.
        </>
      }
    />
  );
}
