import type { Decoder } from '@telltale/domain/decoders/contract.ts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useCan } from '../../api/session.ts';
import { EditorBones } from '../../queries/editor/EditorBones.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';
import { useLeaveGuard } from '../../ui/leaveGuard.ts';
import styles from './Decoder.module.css';
import { DecoderBar } from './DecoderBar.tsx';
import { Examples, type FailedExample } from './Examples.tsx';
import { RecentUplinks } from './RecentUplinks.tsx';
import { RerunSection } from './RerunSection.tsx';
import type { ScriptFault } from './ScriptEditor.tsx';
import { TestPanel } from './TestPanel.tsx';
import { useDecoder } from './useDecoder.ts';

const ScriptEditor = lazy(() => import('./ScriptEditor.tsx'));

/** Unsaved changes; null shows the saved decoder. */
type Draft = Pick<Decoder, 'script' | 'examples' | 'version'>;

const isSame = (one: Draft, other: Draft) => one.script === other.script && JSON.stringify(one.examples) === JSON.stringify(other.examples);

/** iot-behaviour 4.2: the script that decodes the bytes of a channel. */
export default function DecoderTab({ channelId }: { channelId: string }) {
  const { data, error, refetch } = useDecoder(channelId);
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) return <FormSkeleton />;
  return <DecoderEditor channelId={channelId} saved={data} />;
}

function DecoderEditor({ channelId, saved }: { channelId: string; saved: Decoder }) {
  const canManage = useCan()('manage_channel');
  const [draft, setDraft] = useState<Draft | null>(null);
  const [fault, setFault] = useState<ScriptFault | null>(null);
  const [failed, setFailed] = useState<FailedExample[]>([]);
  const { script, examples, version } = draft ?? saved;
  const isDirty = draft !== null && !isSame(draft, saved);
  // The saved decoder is shown again once it has been read.
  useEffect(() => {
    if (draft && draft.version === saved.version && isSame(draft, saved)) setDraft(null);
  }, [draft, saved]);
  useLeaveGuard(isDirty);
  const change = (changes: Partial<Draft>) => setDraft({ script, examples, version, ...changes });
  const isEmpty = script.trim() === '';
  const tried = canManage ? script : undefined;
  return (
    <div className={styles.decoder}>
      <DecoderBar
        channelId={channelId}
        saved={saved}
        draft={{ script, examples, version }}
        isDirty={isDirty}
        onChange={change}
        onFailed={setFailed}
        onFault={setFault}
        onSaved={(next) => setDraft((now) => now && { ...now, version: next })}
      />
      <div className={styles.panes}>
        <div className={styles.editor}>
          <Suspense fallback={<EditorBones />}>
            <ScriptEditor
              text={script}
              isReadOnly={!canManage}
              fault={fault}
              onChange={(text) => {
                if (text === script) return;
                setFault(null);
                change({ script: text });
              }}
            />
          </Suspense>
        </div>
        <TestPanel
          channelId={channelId}
          script={tried}
          isEmpty={isEmpty}
          onFault={setFault}
          onKeep={
            canManage
              ? ({ bytes, f_port, expected }) =>
                  change({
                    examples: [
                      ...examples,
                      { name: `Example ${examples.length + 1}`, bytes, f_port, expected: expected as Record<string, unknown> },
                    ],
                  })
              : undefined
          }
        />
      </div>
      <Examples examples={examples} failed={failed} canManage={canManage} onChange={(next) => change({ examples: next })} />
      <RecentUplinks channelId={channelId} script={tried} isEmpty={isEmpty} />
      <RerunSection channelId={channelId} canManage={canManage} isSaved={!isDirty && saved.script.trim() !== ''} />
    </div>
  );
}
