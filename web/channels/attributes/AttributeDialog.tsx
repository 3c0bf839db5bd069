import DeleteOutlined from '@ant-design/icons/DeleteOutlined';
import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { Threshold, ThresholdState } from '@telltale/domain/channels/attribute-display.ts';
import type { ChannelAttribute } from '@telltale/domain/channels/attributes-contract.ts';
import { Button, Input, InputNumber, Select } from 'antd';
import { useId, useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from './Attributes.module.css';
import { useSaveAttribute } from './useAttributes.ts';

interface AttributeDialogProps {
  channelId: string;
  attribute: ChannelAttribute;
  onClose: () => void;
}

/** While it is typed a threshold may lack its number. */
type Draft = Omit<Threshold, 'value'> & { key: number; value: number | null };

const mostThresholds = 8;
const states: { value: ThresholdState; label: string }[] = [
  { value: 'ok', label: 'Good' },
  { value: 'info', label: 'Info' },
  { value: 'warning', label: 'Warning' },
  { value: 'danger', label: 'Danger' },
];

export function AttributeDialog({ channelId, attribute: { attribute, display, reported_unit }, onClose }: AttributeDialogProps) {
  const id = useId();
  const [unit, setUnit] = useState(display.unit ?? '');
  const [decimals, setDecimals] = useState(display.decimals);
  const [drafts, setDrafts] = useState<Draft[]>(() => display.thresholds.map((one, key) => ({ ...one, key })));
  const [fault, setFault] = useState('');
  const save = useSaveAttribute();
  const change = (key: number, changes: Partial<Draft>) =>
    setDrafts((before) => before.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const isComplete = drafts.every(({ value }) => value !== null);

  const submit = async () => {
    setFault('');
    const thresholds = drafts.flatMap(({ key: _, value, ...one }) => (value === null ? [] : [{ ...one, value }]));
    await save
      .mutateAsync({ params: { id: channelId }, body: { attribute, unit: unit || null, decimals, thresholds } })
      .catch((error: Error) => {
        setFault(error.message);
        throw error;
      });
  };
  return (
    <Dialog title={attribute} okText="Save" isOkDisabled={!isComplete} width={600} onOk={submit} onClose={onClose}>
      <div className={styles.form}>
        <label htmlFor={`${id}-unit`}>Unit</label>
        <Input
          id={`${id}-unit`}
          value={unit}
          maxLength={32}
          autoComplete="off"
          placeholder={reported_unit ?? 'such as °C'}
          onChange={({ target }) => setUnit(target.value)}
        />
        <label htmlFor={`${id}-decimals`}>Decimals</label>
        <InputNumber<number>
          id={`${id}-decimals`}
          className={styles.decimals}
          value={decimals}
          min={0}
          max={9}
          precision={0}
          placeholder="Automatic"
          onChange={setDecimals}
        />
      </div>
      <h3 className={styles.title}>Thresholds</h3>
      <ul className={styles.drafts}>
        {drafts.map((one, at) => (
          <li key={one.key}>
            <Select
              aria-label={`Side of threshold ${at + 1}`}
              value={one.side}
              options={[
                { value: 'above', label: 'At or above' },
                { value: 'below', label: 'At or below' },
              ]}
              onChange={(side) => change(one.key, { side })}
            />
            <InputNumber<number>
              aria-label={`Value of threshold ${at + 1}`}
              value={one.value}
              onChange={(value) => change(one.key, { value })}
            />
            <Select
              aria-label={`State of threshold ${at + 1}`}
              value={one.state}
              options={states}
              onChange={(state) => change(one.key, { state })}
            />
            <Select
              aria-label={`Drawing of threshold ${at + 1}`}
              value={one.show}
              options={[
                { value: 'band', label: 'Line and band' },
                { value: 'line', label: 'Line' },
              ]}
              onChange={(show) => change(one.key, { show })}
            />
            <Button
              type="text"
              danger
              icon={<DeleteOutlined />}
              aria-label={`Delete threshold ${at + 1}`}
              onClick={() => setDrafts((before) => before.filter(({ key }) => key !== one.key))}
            />
          </li>
        ))}
      </ul>
      <Button
        icon={<PlusOutlined />}
        disabled={drafts.length >= mostThresholds}
        onClick={() =>
          setDrafts((before) => [
            ...before,
            { key: Math.max(-1, ...before.map(({ key }) => key)) + 1, value: null, side: 'above', state: 'warning', show: 'band' },
          ])
        }
      >
        Add threshold
      </Button>
      {fault && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </Dialog>
  );
}
