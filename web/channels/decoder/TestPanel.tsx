import { readBytes } from '@telltale/domain/decoders/bytes.ts';
import type { DecoderTestReply } from '@telltale/domain/decoders/contract.ts';
import { Alert, Button, Input, InputNumber, Radio } from 'antd';
import { useId, useState } from 'react';
import styles from './Decoder.module.css';
import { OutcomeView } from './OutcomeView.tsx';
import { readObject } from './readObject.ts';
import { useTestDecoder } from './useDecoder.ts';

interface TestPanelProps {
  channelId: string;
  /** Undefined means the saved script, for users who may not run another. */
  script: string | undefined;
  isEmpty: boolean;
  onFault: (fault: { line: number; message: string } | null) => void;
  /** Saves the tested bytes and their output as an example. */
  onKeep: ((example: { bytes: string; f_port: number; expected: unknown }) => void) | undefined;
}

type Way = 'decodeUplink' | 'encodeDownlink';

/** iot-behaviour 4.2: tests bytes before anything is saved. */
export function TestPanel({ channelId, script, isEmpty, onFault, onKeep }: TestPanelProps) {
  const id = useId();
  const [way, setWay] = useState<Way>('decodeUplink');
  const [bytes, setBytes] = useState('');
  const [object, setObject] = useState('{"on": true}');
  const [port, setPort] = useState<number | null>(1);
  const [reply, setReply] = useState<{ way: Way; bytes: string; f_port: number; outcome: DecoderTestReply } | null>(null);
  const test = useTestDecoder();
  const isDecoding = way === 'decodeUplink';
  const given = readBytes(bytes);
  const data = readObject(object);
  const fault = isDecoding ? (given ? null : 'Hex or base64, such as 00d7 5a or ANda') : data ? null : 'A JSON object';
  const f_port = port ?? 1;

  const run = async () => {
    const body = isDecoding ? { bytes, f_port, script, function: way } : { data: data ?? {}, f_port, script, function: way };
    const outcome = await test.mutateAsync({ params: { id: channelId }, body });
    setReply({ way, bytes, f_port, outcome });
    onFault(outcome.error_line === null ? null : { line: outcome.error_line, message: outcome.errors[0] ?? '' });
  };
  return (
    <form
      className={styles.test}
      aria-label="Test"
      onSubmit={(event) => {
        event.preventDefault();
        if (!fault && !isEmpty) void run().catch(() => setReply(null));
      }}
    >
      <h2>Test</h2>
      <Radio.Group
        size="small"
        optionType="button"
        aria-label="What is tried"
        value={way}
        options={[
          { value: 'decodeUplink', label: 'Decode uplink' },
          { value: 'encodeDownlink', label: 'Encode downlink' },
        ]}
        onChange={({ target }) => setWay(target.value as Way)}
      />
      <div className={styles.fields}>
        <div className={styles.bytes}>
          <label htmlFor={`${id}-given`}>{isDecoding ? 'Bytes' : 'Object'}</label>
          {isDecoding ? (
            <Input
              id={`${id}-given`}
              value={bytes}
              placeholder="00d7 5a"
              autoComplete="off"
              spellCheck={false}
              status={given ? '' : 'error'}
              onChange={({ target }) => setBytes(target.value)}
            />
          ) : (
            <Input
              id={`${id}-given`}
              value={object}
              autoComplete="off"
              spellCheck={false}
              status={data ? '' : 'error'}
              onChange={({ target }) => setObject(target.value)}
            />
          )}
        </div>
        <div>
          <label htmlFor={`${id}-port`}>fPort</label>
          <InputNumber id={`${id}-port`} min={1} max={223} precision={0} value={port} onChange={setPort} className={styles.port ?? ''} />
        </div>
        <Button type="primary" htmlType="submit" loading={test.isPending} disabled={fault !== null || isEmpty}>
          Run test
        </Button>
      </div>
      <p className={styles.hint}>
        {fault ?? (isDecoding ? `${given?.length ?? 0} ${given?.length === 1 ? 'byte' : 'bytes'}` : 'Runs encodeDownlink on this object')}
      </p>
      {test.error && <Alert type="error" showIcon title={test.error.message} />}
      {reply && !test.error && <OutcomeView outcome={reply.outcome} />}
      {reply && onKeep && reply.way === 'decodeUplink' && reply.outcome.errors.length === 0 && !test.error && (
        <div>
          <Button size="small" onClick={() => onKeep({ bytes: reply.bytes, f_port: reply.f_port, expected: reply.outcome.data })}>
            Keep as example
          </Button>
        </div>
      )}
    </form>
  );
}
