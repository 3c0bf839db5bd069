import { cautiousLorawanPayload, type PayloadEncoding } from '@telltale/domain/commands/payload.ts';
import { Input, Radio } from 'antd';
import { controlState } from '../../ui/form/controlState.ts';
import { Labelled } from '../../ui/form/Labelled.tsx';
import styles from '../Commands.module.css';
import type { FieldsProps } from './fieldsProps.ts';
import { byteCount, encodingNames, encodingOf, encodings, hexText, payloadBytes } from './payloadText.ts';

const hints: Readonly<Record<PayloadEncoding, string>> = {
  text: 'reboot',
  hex: '01 0A FF',
  base64: 'AQr/',
  json: '{ "relay": 1, "state": true }',
};

const mostShown = 24;

/** The text, its encoding, and the resulting bytes. */
export function PayloadField({ id, draft, faults, onChange, isReadOnly, isLorawan }: FieldsProps) {
  const control = `${id}-payload`;
  const typed = { text: draft.payload, encoding: draft.encoding };
  const encoding = encodingOf(typed);
  const read = draft.payload.trim() === '' ? null : payloadBytes(typed, isLorawan);
  return (
    <Labelled
      id={control}
      label="Payload"
      isRequired
      fault={faults.payload}
      info={read && 'hex' in read ? <Bytes hex={read.hex} encoding={encoding} isLorawan={isLorawan} /> : undefined}
      aside={
        <Radio.Group
          optionType="button"
          size="small"
          aria-label="Encoding of the payload"
          disabled={isReadOnly}
          value={encoding}
          options={encodings.map((value) => ({ value, label: encodingNames[value] }))}
          onChange={({ target }) => onChange({ encoding: target.value })}
        />
      }
    >
      <Input.TextArea
        {...controlState(control, faults.payload, read !== null)}
        className={styles.payload ?? ''}
        autoSize={{ minRows: 2, maxRows: 10 }}
        spellCheck={false}
        aria-required
        readOnly={isReadOnly}
        placeholder={hints[encoding]}
        value={draft.payload}
        onChange={({ target }) => onChange({ payload: target.value })}
      />
    </Labelled>
  );
}

function Bytes({ hex, encoding, isLorawan }: { hex: string; encoding: PayloadEncoding; isLorawan: boolean }) {
  if (encoding === 'json') return isLorawan ? "The channel's encoder makes the bytes." : `${byteCount(hex.length / 2)}, sent as an object`;
  return (
    <>
      {byteCount(hex.length / 2)}: <code className={styles.bytes}>{hexText(hex, mostShown)}</code>
      {isLorawan && hex.length / 2 > cautiousLorawanPayload && (
        <span className={styles.warning}> More than {cautiousLorawanPayload} bytes are too long for the slowest data rates.</span>
      )}
    </>
  );
}
