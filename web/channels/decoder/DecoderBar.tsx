import { readCodecFile } from '@telltale/domain/decoders/codec-file.ts';
import type { Decoder } from '@telltale/domain/decoders/contract.ts';
import { Alert, Button } from 'antd';
import { lazy, Suspense, useRef, useState } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { useCan } from '../../api/session.ts';
import { confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from './Decoder.module.css';
import type { FailedExample } from './Examples.tsx';
import type { ScriptFault } from './ScriptEditor.tsx';
import { starterScript } from './starterScript.ts';
import { useSaveDecoder } from './useDecoder.ts';

const VersionsDialog = lazy(() => import('./VersionsDialog.tsx'));

type Draft = Pick<Decoder, 'script' | 'examples' | 'version'>;

interface DecoderBarProps {
  channelId: string;
  saved: Decoder;
  draft: Draft;
  isDirty: boolean;
  onChange: (changes: Partial<Draft>) => void;
  onFailed: (failed: FailedExample[]) => void;
  onFault: (fault: ScriptFault | null) => void;
  onSaved: (version: number) => void;
}

/** The state of the saved decoder, and its actions. */
export function DecoderBar(props: DecoderBarProps) {
  const { channelId, saved, draft, isDirty, onChange } = props;
  const canManage = useCan()('manage_channel');
  const [areVersionsShown, setVersionsShown] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const { save, isSaving } = useSave(props);
  const isEmpty = draft.script.trim() === '';

  const importFile = async (file: File | undefined) => {
    if (!file) return;
    const codec = readCodecFile(await file.text());
    if ('fault' in codec) notify.error(codec.fault);
    else {
      onChange({ script: codec.script });
      notify.success(`Imported ${file.name}: ${codec.entries.join(', ')}`);
    }
  };
  return (
    <>
      {saved.paused_until && (
        <Alert
          type="warning"
          showIcon
          title={
            <>
              The decoder took too long too often and is paused until <TimeAgo date={saved.paused_until} />. Messages are stored undecoded
              and decoded again afterwards. Saving a new version ends the pause.
            </>
          }
        />
      )}
      <div className={styles.head}>
        <span className={styles.hint}>
          {saved.version === 0 ? (
            'No decoder: bytes are stored as they are.'
          ) : (
            <>
              Version {saved.version}
              {saved.script.trim() === '' && ' (removed)'}, saved {saved.updated_at && <TimeAgo date={saved.updated_at} />}
              {saved.updated_by && ` by ${saved.updated_by}`}
              {isDirty && ' · not saved'}
            </>
          )}
        </span>
        <div className={styles.actions}>
          {canManage && isEmpty && <Button onClick={() => onChange({ script: starterScript })}>Use template</Button>}
          {canManage && <Button onClick={() => picker.current?.click()}>Import file</Button>}
          <Button disabled={saved.version === 0} onClick={() => setVersionsShown(true)}>
            Versions
          </Button>
          {canManage && (
            <Button type="primary" disabled={!isDirty} loading={isSaving} onClick={() => void save()}>
              Save decoder
            </Button>
          )}
        </div>
        <input
          ref={picker}
          type="file"
          accept=".js,.mjs,.cjs,.txt,text/javascript"
          hidden
          aria-label="Codec file"
          onChange={({ target }) => {
            void importFile(target.files?.[0]);
            target.value = '';
          }}
        />
      </div>
      {areVersionsShown && (
        <Suspense fallback={null}>
          <VersionsDialog
            channelId={channelId}
            text={draft.script}
            onRestore={canManage ? (script, examples) => onChange({ script, examples }) : undefined}
            onClose={() => setVersionsShown(false)}
          />
        </Suspense>
      )}
    </>
  );
}

interface Refusal {
  examples?: FailedExample[];
  error_line?: number | null;
}

/** The terms under which a refused decoder is saved all the same. */
interface Terms {
  override?: boolean;
  version?: number | undefined;
}

/** A failing example is shown, and may be saved all the same; a syntax error is shown in its line. */
function useSave({ channelId, draft, onFailed, onFault, onSaved }: DecoderBarProps) {
  const write = useSaveDecoder();

  /** Shows why the save was refused; returns the terms that the user accepts, or null. */
  const askAbout = async (error: unknown): Promise<Terms | null> => {
    if (!(error instanceof ApiError)) {
      notify.error(error instanceof Error ? error.message : 'Failed saving.');
      return null;
    }
    if (error.status === 409) {
      const content = `${error.message} It stays among the versions.`;
      const isMine = await confirm({ title: 'Somebody else saved', content, okText: 'Save mine', danger: true });
      return isMine ? { version: undefined } : null;
    }
    const { examples, error_line } = (error.body ?? {}) as Refusal;
    if (error_line) onFault({ line: error_line, message: error.message });
    if (!examples) {
      notify.error(error.message);
      return null;
    }
    onFailed(examples);
    const content = `${error.message} Saved all the same, the decoder is used from now on.`;
    const isAccepted = await confirm({ title: 'An example fails', content, okText: 'Save anyway', danger: true });
    return isAccepted ? { override: true } : null;
  };

  const save = async (terms: Terms = {}): Promise<void> => {
    try {
      const { version } = await write.mutateAsync({ params: { id: channelId }, body: { ...draft, ...terms } });
      onFailed([]);
      onFault(null);
      onSaved(version);
    } catch (error) {
      const accepted = await askAbout(error);
      // The second try can be refused for another reason, which is shown as well.
      if (accepted) await save({ ...terms, ...accepted });
    }
  };
  return { save, isSaving: write.isPending };
}
