import type { Rerun, RerunPreview } from '@telltale/domain/decoders/contract.ts';
import { Alert, Button, InputNumber, Progress } from 'antd';
import { useId, useState } from 'react';
import { jobError } from '../../api/jobs.ts';
import { Section } from '../../ui/Section.tsx';
import { StateLabel } from '../../ui/StateLabel.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from './Decoder.module.css';
import { PreviewView } from './PreviewView.tsx';
import { isUnderWay, useCancelRerun, usePreviewRerun, useRerun, useStartRerun } from './useDecoder.ts';

const mostDays = 30;
const figure = (count: number) => count.toLocaleString('en');

interface RerunSectionProps {
  channelId: string;
  canManage: boolean;
  /** The draft is saved: the run uses the saved script. */
  isSaved: boolean;
}

/** iot-behaviour 4.2: codecs get corrected after data has arrived. The section first shows the changes, then runs. */
export function RerunSection({ channelId, canManage, isSaved }: RerunSectionProps) {
  const id = useId();
  const [days, setDays] = useState<number | null>(7);
  const [preview, setPreview] = useState<RerunPreview | null>(null);
  const ask = usePreviewRerun();
  const start = useStartRerun();
  const rerun = useRerun(channelId).data;
  const params = { id: channelId };
  const isRunning = isUnderWay(rerun);

  const look = async () => {
    const found = await ask.mutateAsync({ params, body: { days: days ?? 1, preview: true } });
    if ('added' in found) setPreview(found);
  };
  return (
    <Section level={2} title="Re-decode history">
      <p className={styles.hint}>
        Runs the saved decoder on messages of bytes that came in before, and brings their readings in line. Where it fails, the readings
        stay as they are. Messages are kept for {mostDays} days.
      </p>
      {rerun && <RerunProgress rerun={rerun} channelId={channelId} canManage={canManage} />}
      {canManage && !isRunning && (
        <form
          className={styles.fields}
          onSubmit={(event) => {
            event.preventDefault();
            void look().catch(() => setPreview(null));
          }}
        >
          <div>
            <label htmlFor={`${id}-days`}>Days</label>
            <InputNumber
              id={`${id}-days`}
              className={styles.port ?? ''}
              min={1}
              max={mostDays}
              precision={0}
              value={days}
              onChange={(next) => {
                setDays(next);
                setPreview(null);
              }}
            />
          </div>
          <Button htmlType="submit" loading={ask.isPending} disabled={!isSaved || days === null}>
            Preview
          </Button>
          {!isSaved && <span className={styles.hint}>Save the decoder first.</span>}
        </form>
      )}
      {ask.error && !isRunning && <Alert type="error" showIcon title={ask.error.message} />}
      {preview && !isRunning && canManage && (
        <PreviewView
          preview={preview}
          isStarting={start.isPending}
          onStart={() => start.mutate({ params, body: { days: days ?? 1 } }, { onSuccess: () => setPreview(null) })}
        />
      )}
    </Section>
  );
}

function RerunProgress({ rerun, channelId, canManage }: { rerun: Rerun; channelId: string; canManage: boolean }) {
  const cancel = useCancelRerun();
  const { uplinks, total, added, changed, gone, failed, kept, job } = rerun;
  const counts = `${figure(added)} added, ${figure(changed)} changed, ${figure(gone)} gone`;
  const failures = failed > 0 ? `; failed on ${figure(failed)} messages, ${figure(kept)} readings kept` : '';
  if (!isUnderWay(rerun))
    return (
      <div className={styles.last} role="status">
        <StateLabel tone={job.status === 3 ? 'ok' : 'warning'}>
          {job.status === 3 ? 'Decoded again' : rerunFailure(jobError(job))} <TimeAgo date={rerun.started_at} />
        </StateLabel>
        <span>
          {figure(uplinks)} messages: {counts}
          {failures}
        </span>
      </div>
    );
  const percent = total === 0 ? 0 : Math.floor((uplinks / total) * 100);
  return (
    <div className={styles.progress} role="status">
      <div className={styles.bar}>
        <Progress percent={percent} status="active" aria-label="Decoding again" />
        {canManage && (
          <Button loading={cancel.isPending} onClick={() => cancel.mutate({ params: { id: channelId } })}>
            Cancel
          </Button>
        )}
      </div>
      <span>
        {figure(uplinks)} of {figure(total)} messages: {counts}
        {failures}
      </span>
    </div>
  );
}

const rerunFailure = (error: string) => (error === 'Query cancelled by user.' ? 'Cancelled' : error);
