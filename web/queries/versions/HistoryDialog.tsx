import { type QueryVersion, queryVersionsApi } from '@telltale/domain/queries/versions.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { DiffView } from './DiffView.tsx';
import styles from './History.module.css';

interface HistoryDialogProps {
  queryId: number;
  /** The text on the screen, with which versions are compared. */
  text: string;
  onRestore: (text: string) => void;
  onClose: () => void;
}

const fieldNames: Record<QueryVersion['fields'][number], string> = {
  name: 'name',
  description: 'description',
  query: 'text',
  data_source_id: 'data source',
  schedule: 'schedule',
  options: 'parameters',
  tags: 'tags',
  is_draft: 'published or not',
  is_archived: 'archived or not',
};

/** W33: who saved what and when; an older text can be had back, and is saved like any other. */
export default function HistoryDialog({ queryId, text, onRestore, onClose }: HistoryDialogProps) {
  const read = useRead(queryVersionsApi.list, { params: { id: queryId } }, { gcTime: 0 });
  const versions = Array.isArray(read.data) ? read.data : [];
  const [chosen, setChosen] = useState<number | null>(null);
  const version = chosen ?? versions[0]?.version ?? null;
  return (
    <Dialog title="Version History" width="min(1040px, 94vw)" okText="Close" hasCancel={false} onClose={onClose} closesOnMask>
      {read.isPending && <FormSkeleton />}
      {read.error && <ErrorState error={read.error} onRetry={read.refetch} />}
      {read.data && (
        <div className={styles.columns}>
          <ul className={styles.list} aria-label="Versions">
            {versions.map((one) => (
              <li key={one.version}>
                <button
                  type="button"
                  className={styles.version}
                  aria-pressed={one.version === version}
                  onClick={() => setChosen(one.version)}
                >
                  <span>
                    <strong>{one.version}</strong> {one.user?.name ?? 'Somebody'}
                  </span>
                  <span className={styles.when}>
                    <TimeAgo date={one.created_at} />
                    {one.fields.length > 0 && ` · ${one.fields.map((field) => fieldNames[field]).join(', ')}`}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {version !== null && (
            <OneVersion
              key={version}
              queryId={queryId}
              version={version}
              text={text}
              onRestore={(old) => {
                onRestore(old);
                onClose();
              }}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

interface OneVersionProps extends Pick<HistoryDialogProps, 'queryId' | 'text' | 'onRestore'> {
  version: number;
}

function OneVersion({ queryId, version, text, onRestore }: OneVersionProps) {
  const read = useRead(queryVersionsApi.get, { params: { id: queryId, version } }, { staleTime: Number.POSITIVE_INFINITY });
  if (read.error) return <ErrorState error={read.error} onRetry={read.refetch} />;
  if (!read.data) return <FormSkeleton />;
  const { query, name } = read.data;
  return (
    <div className={styles.one}>
      <div className={styles.head}>
        <span>“{name}”, its text (−) and what is in the editor (+)</span>
        <Button disabled={query === text} onClick={() => onRestore(query)}>
          Put this text into the editor
        </Button>
      </div>
      <DiffView before={query} after={text} label={`Version ${version} and the editor`} />
    </div>
  );
}
