import { readBytes } from '@telltale/domain/decoders/bytes.ts';
import type { DecoderExample } from '@telltale/domain/decoders/contract.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { FormDialog } from '../../ui/FormDialog.tsx';
import type { Field, FormValues } from '../../ui/form/field.ts';
import { Section } from '../../ui/Section.tsx';
import { StateLabel } from '../../ui/StateLabel.tsx';
import styles from './Decoder.module.css';
import { readJson } from './readObject.ts';

export interface FailedExample {
  name: string;
  data: unknown;
  errors: string[];
}

interface ExamplesProps {
  examples: readonly DecoderExample[];
  /** The examples that failed in the last attempt to save. */
  failed: readonly FailedExample[];
  canManage: boolean;
  onChange: (examples: DecoderExample[]) => void;
}

/** iot-behaviour 4.2: saving runs the examples, and a failing one prevents it. */
export function Examples({ examples, failed, canManage, onChange }: ExamplesProps) {
  const [edited, setEdited] = useState<number | null>(null);
  const put = (example: DecoderExample) =>
    onChange(edited === examples.length ? [...examples, example] : examples.map((one, at) => (at === edited ? example : one)));
  return (
    <Section level={2} title="Examples">
      <p className={styles.hint}>Bytes and the data they must give. They are run whenever the decoder is saved.</p>
      {examples.length > 0 && (
        <ul className={styles.examples}>
          {examples.map((example, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same
            <li key={at}>
              <ExampleRow example={example} failure={failed.find(({ name }) => name === example.name)} />
              {canManage && (
                <span className={styles.actions}>
                  <Button size="small" aria-label={`Edit example ${example.name}`} onClick={() => setEdited(at)}>
                    Edit
                  </Button>
                  <Button
                    size="small"
                    aria-label={`Remove example ${example.name}`}
                    onClick={() => onChange(examples.filter((_, other) => other !== at))}
                  >
                    Remove
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {examples.length === 0 && !canManage && <p>No examples</p>}
      {canManage && <Button onClick={() => setEdited(examples.length)}>Add example</Button>}
      {edited !== null && (
        <FormDialog
          title={edited === examples.length ? 'Add example' : 'Edit example'}
          okText={edited === examples.length ? 'Add example' : 'Change example'}
          fields={fieldsOf(examples[edited])}
          waitsForValid
          onSubmit={(values) => put(exampleOf(values))}
          onClose={() => setEdited(null)}
        />
      )}
    </Section>
  );
}

function ExampleRow({ example, failure }: { example: DecoderExample; failure: FailedExample | undefined }) {
  return (
    <div className={styles.example}>
      <strong>{example.name}</strong>
      <span className={styles.mono}>
        {example.bytes} · fPort {example.f_port}
      </span>
      {example.expected != null && <code>{JSON.stringify(example.expected)}</code>}
      {failure && (
        <StateLabel tone="danger">
          {failure.errors.length > 0 ? failure.errors.join('; ') : `The script gives ${JSON.stringify(failure.data)}`}
        </StateLabel>
      )}
    </div>
  );
}

const fieldsOf = (example: DecoderExample | undefined): Field[] => [
  { name: 'name', title: 'Name', type: 'text', required: true, autoFocus: true, autoComplete: 'off', initialValue: example?.name },
  {
    name: 'bytes',
    title: 'Bytes',
    type: 'text',
    required: true,
    autoComplete: 'off',
    initialValue: example?.bytes,
    info: 'Hex or base64',
    fault: (value) => (readBytes(String(value ?? '')) ? null : 'Bytes must be hex or base64.'),
  },
  {
    name: 'f_port',
    title: 'fPort',
    type: 'number',
    required: true,
    isWhole: true,
    range: { min: 1, max: 223 },
    initialValue: example?.f_port ?? 1,
  },
  {
    name: 'expected',
    title: 'Expected data',
    type: 'textarea',
    initialValue: example?.expected == null ? undefined : JSON.stringify(example.expected, null, 2),
    info: 'JSON. Left empty, it is enough that the bytes decode.',
    fault: (value) => (isExpectable(String(value ?? '')) ? null : 'Expected data must be JSON: an object or a list.'),
  },
];

const isExpectable = (text: string) => text.trim() === '' || (typeof readJson(text) === 'object' && readJson(text) !== null);

const exampleOf = ({ name, bytes, f_port, expected }: FormValues): DecoderExample => ({
  name: String(name).trim().slice(0, 100),
  bytes: String(bytes).trim(),
  f_port: Number(f_port),
  expected: String(expected ?? '').trim() === '' ? null : (readJson(String(expected)) as DecoderExample['expected']),
});
