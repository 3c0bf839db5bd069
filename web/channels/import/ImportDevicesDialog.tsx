import UploadOutlined from '@ant-design/icons/UploadOutlined';
import { type ChannelKind, isLorawan } from '@telltale/domain/channels/contract.ts';
import type { LineFault } from '@telltale/domain/channels/device-csv.ts';
import { Alert, Button, Input } from 'antd';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { askToLeave, useLeaveGuard } from '../../ui/leaveGuard.ts';
import { StateLabel } from '../../ui/StateLabel.tsx';
import { useImportDevices } from '../useChannels.ts';
import { csvFileText } from './csvFileText.ts';
import { devicesText } from './devicesText.ts';
import styles from './ImportDevices.module.css';
import { refusedLines, useImportCheck } from './useImportCheck.ts';

/** Far more than 1,000 devices need. */
const largestFile = 1024 ** 2;
const mostShown = 20;

interface ImportDevicesDialogProps {
  channelId: string;
  kind: ChannelKind;
  onClose: () => void;
}

/** iot-behaviour 5.2: devices from CSV. What would be created or is wrong is shown before anything is written. */
export default function ImportDevicesDialog({ channelId, kind, onClose }: ImportDevicesDialogProps) {
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [fileFault, setFileFault] = useState('');
  const check = useImportCheck(channelId, text);
  const create = useImportDevices();
  useLeaveGuard(text !== '');

  const change = (next: string) => {
    setText(next);
    setFileFault('');
    create.reset();
  };
  const pick = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > largestFile) return setFileFault(`${file.name} is too large (at most 1 MB).`);
    try {
      // A text area has these line ends only; with others it would report a change, and take OK away, when the focus leaves it.
      change((await csvFileText(file)).replace(/\r\n?/g, '\n'));
    } catch {
      setFileFault(`${file.name} could not be read.`);
    }
  };

  const retry = () => {
    create.reset();
    check.retry();
  };

  const count = check.devices.length;
  const refused = refusedLines(create.error, check.devices);
  const error = create.error ?? check.error;
  return (
    <Dialog
      title="Import Devices"
      okText={check.isReady ? `Create ${count === 1 ? '1 Device' : `${count.toLocaleString('en')} Devices`}` : 'Create Devices'}
      isOkDisabled={!check.isReady}
      mayClose={(isByEscape) => !isByEscape || text === '' || askToLeave('form')}
      onOk={() => create.mutateAsync({ params: { id: channelId }, body: { devices: check.devices.map(({ device }) => device) } })}
      onClose={onClose}
      width={640}
    >
      <Labelled
        id={id}
        label="Devices as CSV"
        fault={fileFault}
        info={`One device per line: device_id, device_name. With a first line that names them, columns may be device_id, device_name, ${isLorawan(kind) ? 'dev_eui, ' : ''}tags in any order.`}
        aside={
          <Button size="small" icon={<UploadOutlined />} onClick={() => picker.current?.click()}>
            Choose File
          </Button>
        }
      >
        <Input.TextArea
          id={id}
          className={styles.text}
          value={text}
          placeholder={'roof-1, Roof north\nroof-2, Roof south'}
          autoSize={{ minRows: 6, maxRows: 12 }}
          autoComplete="off"
          spellCheck={false}
          wrap="off"
          aria-describedby={`${id}-info ${id}-preview`}
          onChange={({ target }) => change(target.value)}
        />
      </Labelled>
      <input
        ref={picker}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        hidden
        aria-label="CSV file"
        onChange={({ target }) => {
          void pick(target.files?.[0]);
          // Allows choosing the same file again after it was changed.
          target.value = '';
        }}
      />
      <div id={`${id}-preview`} className={styles.preview} role="status" aria-busy={check.isChecking}>
        {text.trim() !== '' && (
          <Preview isChecking={check.isChecking} count={count} ignored={check.ignored} faults={refused ?? check.faults}>
            {error && <Alert type="error" showIcon title={error.message} action={<Button onClick={retry}>Try again</Button>} />}
          </Preview>
        )}
      </div>
    </Dialog>
  );
}

interface PreviewProps {
  isChecking: boolean;
  count: number;
  faults: readonly LineFault[];
  ignored: readonly string[];
  /** A failure that names no line. */
  children: ReactNode;
}

function Preview({ isChecking, count, faults, ignored, children }: PreviewProps) {
  if (isChecking) return <span className={styles.note}>Checking…</span>;
  if (faults.length > 0) return <Faults faults={faults} />;
  if (children) return children;
  if (count === 0) return <span className={styles.note}>There are no devices in this text.</span>;
  return (
    <>
      <StateLabel tone="ok">{`${devicesText(count)} will be created.`}</StateLabel>
      {ignored.length > 0 && <p className={styles.note}>{`Ignored columns: ${ignored.join(', ')}.`}</p>}
    </>
  );
}

function Faults({ faults }: { faults: readonly LineFault[] }) {
  const hidden = faults.length - mostShown;
  return (
    <>
      <StateLabel tone="danger">{faults.length === 1 ? '1 fault' : `${faults.length.toLocaleString('en')} faults`}</StateLabel>
      <ul className={styles.faults}>
        {faults.slice(0, mostShown).map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            <span className={styles.line}>Line {line}:</span> {message}
          </li>
        ))}
        {hidden > 0 && <li className={styles.note}>{`and ${hidden.toLocaleString('en')} more`}</li>}
      </ul>
    </>
  );
}
