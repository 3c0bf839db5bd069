import { readVariables } from '@telltale/domain/channels/variables.ts';
import { readBytes } from '@telltale/domain/decoders/bytes.ts';
import type { DecoderTestReply } from '@telltale/domain/decoders/contract.ts';
import { Alert, Button, Input, InputNumber, Radio } from 'antd';
import { useId, useState } from 'react';
import { controlState } from '../../ui/form/controlState.ts';
import { Labelled } from '../../ui/form/Labelled.tsx';
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

interface Reply {
  bytes: string;
  f_port: number;
  outcome: DecoderTestReply;
  isExample: boolean;
}

/** iot-behaviour 4.2: tests bytes before anything is saved. */
export function TestPanel({ channelId, script, isEmpty, onFault, onKeep }: TestPanelProps) {
  const id = useId();
  const [way, setWay] = useState<Way>('decodeUplink');
  const [bytes, setBytes] = useState('');
  const [object, setObject] = useState('{"on": true}');
  const [port, setPort] = useState<number | null>(1);
  const [written, setWritten] = useState('');
  const [reply, setReply] = useState<Reply | null>(null);
  const test = useTestDecoder();
  const isDecoding = way === 'decodeUplink';
  const given = readBytes(bytes);
  const data = readObject(object);
  const fault = isDecoding ? (given ? null : 'Hex or base64, such as 00d7 5a or ANda') : data ? null : 'A JSON object';
  const read = readVariables(written);
  const variables = 'variables' in read ? read.variables : {};
  const variablesFault = 'fault' in read ? read.fault : undefined;
  const isReady = fault === null && variablesFault === undefined && !isEmpty;
  const f_port = port ?? 1;

  const run = async () => {
    const input = isDecoding ? { bytes } : { data: data ?? {} };
    const outcome = await test.mutateAsync({ params: { id: channelId }, body: { ...input, f_port, script, variables, function: way } });
    // An example has no variables, so what they led to cannot be kept as one.
    setReply({ bytes, f_port, outcome, isExample: isDecoding && outcome.errors.length === 0 && Object.keys(variables).length === 0 });
    onFault(outcome.error_line === null ? null : { line: outcome.error_line, message: outcome.errors[0] ?? '' });
  };
  return (
    <form
      className={styles.test}
      aria-label="Test"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void run().catch(() => setReply(null));
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
        <Button type="primary" htmlType="submit" loading={test.isPending} disabled={!isReady}>
          Run test
        </Button>
      </div>
      <p className={styles.hint}>
        {fault ?? (isDecoding ? `${given?.length ?? 0} ${given?.length === 1 ? 'byte' : 'bytes'}` : 'Runs encodeDownlink on this object')}
      </p>
      <Labelled
        id={`${id}-variables`}
        label="Variables"
        fault={variablesFault}
        info="Optional, one to a line. The script gets them as input.variables."
      >
        <Input.TextArea
          {...controlState(`${id}-variables`, variablesFault, true)}
          value={written}
          placeholder="offset = -1.5"
          autoSize={{ minRows: 1, maxRows: 6 }}
          spellCheck={false}
          onChange={({ target }) => setWritten(target.value)}
        />
      </Labelled>
      {test.error && <Alert type="error" showIcon title={test.error.message} />}
      {reply && !test.error && <OutcomeView outcome={reply.outcome} />}
      {reply?.isExample && onKeep && !test.error && (
        <div>
          <Button size="small" onClick={() => onKeep({ bytes: reply.bytes, f_port: reply.f_port, expected: reply.outcome.data })}>
            Keep as example
          </Button>
        </div>
      )}
    </form>
  );
}
