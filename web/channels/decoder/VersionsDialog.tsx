import type { DecoderExample } from '@telltale/domain/decoders/contract.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { DiffView } from '../../queries/versions/DiffView.tsx';
import styles from '../../queries/versions/History.module.css';
import { VersionList } from '../../queries/versions/VersionList.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';
import { useDecoderVersion, useDecoderVersions } from './useDecoder.ts';

interface VersionsDialogProps {
  channelId: string;
  /** The current text, with which versions are compared. */
  text: string;
  onRestore: ((script: string, examples: DecoderExample[]) => void) | undefined;
  onClose: () => void;
}

/** All saved versions; an older one can be restored, and is saved like any other. */
export default function VersionsDialog({ channelId, text, onRestore, onClose }: VersionsDialogProps) {
  const read = useDecoderVersions(channelId);
  const versions = read.data ?? [];
  const [chosen, setChosen] = useState<number | null>(null);
  const version = chosen ?? versions[0]?.version ?? null;
  const restore = (script: string, examples: DecoderExample[]) => {
    onRestore?.(script, examples);
    onClose();
  };
  return (
    <Dialog title="Versions" width="min(1040px, 94vw)" okText="Close" hasCancel={false} onClose={onClose} closesOnMask>
      {read.isPending && <FormSkeleton />}
      {read.error && <ErrorState error={read.error} onRetry={read.refetch} />}
      {read.data?.length === 0 && <p>This decoder has not been saved yet.</p>}
      {versions.length > 0 && (
        <div className={styles.columns}>
          <VersionList
            versions={versions}
            chosen={version}
            onChoose={setChosen}
            authorOf={({ created_by }) => created_by}
            notesOf={({ bytes, is_overridden }) => ` · ${bytes.toLocaleString('en')} bytes${is_overridden ? ' · an example failed' : ''}`}
          />
          {version !== null && (
            <OneVersion key={version} channelId={channelId} version={version} text={text} onRestore={onRestore && restore} />
          )}
        </div>
      )}
    </Dialog>
  );
}

function OneVersion({ channelId, version, text, onRestore }: Omit<VersionsDialogProps, 'onClose'> & { version: number }) {
  const read = useDecoderVersion(channelId, version);
  if (read.error) return <ErrorState error={read.error} onRetry={read.refetch} />;
  if (!read.data) return <FormSkeleton />;
  const { script, examples } = read.data;
  return (
    <div className={styles.one}>
      <div className={styles.head}>
        <span>Version {version} (−) and editor (+)</span>
        {onRestore && (
          <Button disabled={script === text} onClick={() => onRestore(script, examples)}>
            Put this version into the editor
          </Button>
        )}
      </div>
      <DiffView language="javascript" before={script} after={text} label={`Version ${version} and the editor`} />
    </div>
  );
}
