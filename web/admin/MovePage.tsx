import DownloadOutlined from '@ant-design/icons/DownloadOutlined';
import { jobStatus } from '@telltale/domain/jobs/contract.ts';
import { type MoveReport, moveApi, movedKinds } from '@telltale/domain/move/contract.ts';
import { Button, Checkbox, Input } from 'antd';
import { type FormEvent, useId, useState } from 'react';
import { call } from '../api/call.ts';
import { jobError, waitForJob } from '../api/jobs.ts';
import { useWrite } from '../api/query.ts';
import { AdminFrame } from '../layout/AdminFrame.tsx';
import { notify } from '../ui/notify.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { Section } from '../ui/Section.tsx';
import { StateLabel, type Tone } from '../ui/StateLabel.tsx';
import styles from './MovePage.module.css';

/** /admin/move: export and import of objects, as files or from another installation. */
export function MovePage() {
  const [report, setReport] = useState<MoveReport | null>(null);
  return (
    <AdminFrame>
      <div className={styles.page}>
        <PageHeader title="Export and Import" level={2} />
        <ExportSection />
        <ImportSection onReport={setReport} />
        <UpstreamSection onReport={setReport} />
        {report && <Report report={report} />}
      </div>
    </AdminFrame>
  );
}

function ExportSection() {
  const [what, setWhat] = useState<readonly string[]>(movedKinds);
  return (
    <Section title="Export">
      <p>
        Queries with their visualizations, dashboards, alerts, channels with their settings, decoders and devices, and commands with their
        schedules as one file. Keys, variables of devices, results and people are not in it.
      </p>
      <Checkbox.Group options={[...movedKinds]} value={[...what]} onChange={setWhat} />
      <Button
        href={`/api/export?what=${what.join(',')}`}
        download={`telltale-${new Date().toISOString().slice(0, 10)}.json`}
        icon={<DownloadOutlined />}
        disabled={what.length === 0}
      >
        Export
      </Button>
    </Section>
  );
}

function ImportSection({ onReport }: { onReport: (report: MoveReport) => void }) {
  const [objects, setObjects] = useState<unknown>(null);
  const id = useId();
  const run = useWrite(moveApi.import, { onDone: onReport });
  const read = async (file: File | undefined) => {
    if (!file) return setObjects(null);
    try {
      setObjects(JSON.parse(await file.text()));
    } catch {
      setObjects(null);
      notify.error('This file is no export: it is not JSON.');
    }
  };
  const start = (preview: boolean) => run.mutate({ body: { objects: objects as never, preview } });
  return (
    <Section title="Import from a file">
      <p>What has a name that is taken already stays as it is. Data sources and networks are found by their names.</p>
      <label htmlFor={id}>Exported file</label>
      <input id={id} type="file" accept="application/json,.json" onChange={(event) => void read(event.target.files?.[0])} />
      <Actions isReady={objects !== null} isBusy={run.isPending} onStart={start} />
    </Section>
  );
}

function UpstreamSection({ onReport }: { onReport: (report: MoveReport) => void }) {
  const [url, setUrl] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [urlId, keyId] = [useId(), useId()];
  const start = async (preview: boolean) => {
    setBusy(true);
    try {
      const { job } = await call(moveApi.upstream, { body: { url, api_key: apiKey, preview } });
      const ended = await waitForJob(job);
      if (ended.status !== jobStatus.done) throw new Error(jobError(ended));
      onReport(ended.result as MoveReport);
    } catch (error) {
      notify.error(error instanceof Error ? error.message : 'The import failed.');
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start(true);
  };
  return (
    <Section title="Import from another installation">
      <p>
        Queries, visualizations, dashboards, alerts, users and groups of a Redash-compatible installation, read with the rights of the key.
      </p>
      <form className={styles.form} onSubmit={submit}>
        <label htmlFor={urlId}>Address</label>
        <Input id={urlId} value={url} placeholder="https://redash.example.com" onChange={(event) => setUrl(event.target.value)} />
        <label htmlFor={keyId}>API Key</label>
        <Input.Password id={keyId} value={apiKey} autoComplete="off" onChange={(event) => setApiKey(event.target.value)} />
        <Actions isReady={url !== '' && apiKey !== ''} isBusy={isBusy} onStart={start} />
      </form>
    </Section>
  );
}

const Actions = ({ isReady, isBusy, onStart }: { isReady: boolean; isBusy: boolean; onStart: (preview: boolean) => unknown }) => (
  <div className={styles.actions}>
    <Button disabled={!isReady} loading={isBusy} onClick={() => onStart(true)}>
      Preview
    </Button>
    <Button type="primary" disabled={!isReady} loading={isBusy} onClick={() => onStart(false)}>
      Import
    </Button>
  </div>
);

const tones: Record<MoveReport['entries'][number]['outcome'], Tone> = {
  made: 'ok',
  exists: 'neutral',
  changed: 'warning',
  refused: 'danger',
};

const Report = ({ report }: { report: MoveReport }) => (
  <Section title={report.preview ? 'Preview: nothing has been made' : 'Report'}>
    <ul className={styles.report}>
      {report.entries.map(({ kind, name, outcome, reason }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an object may be told of twice
        <li key={at}>
          <StateLabel tone={tones[outcome]}>{outcome}</StateLabel> {kind} {name}
          {reason && <span className={styles.reason}>{reason}</span>}
        </li>
      ))}
    </ul>
  </Section>
);
