import { type QueryVersion, queryVersionsApi } from '@telltale/domain/queries/versions.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';
import { DiffView } from './DiffView.tsx';
import styles from './History.module.css';
import { VersionList } from './VersionList.tsx';

interface HistoryDialogProps {
  queryId: number;
  /** The current text, with which versions are compared. */
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
  is_draft: 'publish state',
  is_archived: 'archived or not',
};

/** W33: authors, times and changes of saves; an older text can be restored, and is saved like any other. */
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
          <VersionList
            versions={versions}
            chosen={version}
            onChoose={setChosen}
            authorOf={({ user }) => user?.name}
            notesOf={({ fields }) => fields.length > 0 && ` · ${fields.map((field) => fieldNames[field]).join(', ')}`}
          />
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
        <span>“{name}”: saved version (−) and editor (+)</span>
        <Button disabled={query === text} onClick={() => onRestore(query)}>
          Restore
        </Button>
      </div>
      <DiffView language="sql" before={query} after={text} label={`Version ${version} and the editor`} />
    </div>
  );
}
