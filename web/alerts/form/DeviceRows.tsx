import { leastSilentSeconds } from '@telltale/domain/alerts/options.ts';
import { AutoComplete, Select } from 'antd';
import { useId } from 'react';
import { useDeviceChoices } from '../../queries/devices/useDeviceChoices.ts';
import type { AlertDraft } from '../draft.ts';
import { DurationInput } from './DurationInput.tsx';
import styles from './Form.module.css';
import { OperatorSelect } from './operators.tsx';
import { Field, Row } from './Row.tsx';
import { ThresholdInput } from './ThresholdInput.tsx';

interface DeviceRowsProps {
  draft: AlertDraft;
  /** Left out in the view: the same boxes, disabled. */
  onChange?: ((changes: Partial<AlertDraft>) => void) | undefined;
}

/** The rows of an alert without a query: a channel, some or all of its devices, and either an attribute or silence. */
export function DeviceRows({ draft, onChange }: DeviceRowsProps) {
  const id = useId();
  const { kind, channel_id, device_ids, attribute, op, value } = draft;
  const isDisabled = !onChange;
  const change = onChange ?? (() => {});
  const { channels, devices, names } = useChoices(draft);
  const search = { optionFilterProp: 'label' } as const;
  return (
    <>
      <Row label="Devices">
        <div className={styles.fields}>
          <Field id={`${id}-channel`} label="Channel">
            <Select
              id={`${id}-channel`}
              placeholder="Choose a channel"
              disabled={isDisabled}
              showSearch={search}
              value={channel_id || null}
              loading={channels.isPending}
              options={withStored(
                (channels.data ?? []).map((one) => ({ value: one.channel_id, label: one.channel_name || one.channel_id })),
                [channel_id],
              )}
              notFoundContent={channels.error?.message ?? 'There are no channels yet.'}
              onChange={(chosen: string) => change({ channel_id: chosen, device_ids: [] })}
            />
          </Field>
          <Field id={`${id}-devices`} label="Devices">
            <Select
              id={`${id}-devices`}
              mode="multiple"
              maxTagCount="responsive"
              placeholder={channel_id ? 'All devices' : 'Choose a channel first'}
              disabled={isDisabled || !channel_id}
              showSearch={search}
              allowClear
              value={[...device_ids]}
              loading={channel_id !== '' && devices.isPending}
              options={withStored(
                (devices.data ?? []).map((one) => ({ value: one.device_id, label: one.device_name || one.device_id })),
                device_ids,
              )}
              notFoundContent={devices.error?.message ?? 'There are no devices in this channel yet.'}
              onChange={(chosen: string[]) => change({ device_ids: chosen })}
            />
          </Field>
        </div>
        {!isDisabled && <p className={styles.hint}>Without a choice every device of the channel is watched, also those added later.</p>}
      </Row>
      <Row label="Trigger when">
        {kind === 'device' ? (
          <div className={styles.fields}>
            <Field id={`${id}-attribute`} label="Attribute">
              <AutoComplete
                id={`${id}-attribute`}
                value={attribute}
                disabled={isDisabled}
                options={names.map((name) => ({ value: name }))}
                showSearch={{ filterOption: (typed, option) => (option?.value ?? '').toLowerCase().includes(typed.toLowerCase()) }}
                onChange={(typed: string) => change({ attribute: typed ?? '' })}
              />
            </Field>
            <Field id={`${id}-op`} label="Condition" isNarrow>
              <OperatorSelect id={`${id}-op`} value={op} isDisabled={isDisabled} onChange={(chosen) => change({ op: chosen })} />
            </Field>
            <Field id={`${id}-value`} label="Threshold">
              <ThresholdInput
                id={`${id}-value`}
                kind="plain"
                value={value}
                isDisabled={isDisabled}
                onChange={(next) => change({ value: next })}
              />
            </Field>
            <Field id={`${id}-for`} label="For at least" isNarrow>
              <DurationInput
                id={`${id}-for`}
                label="For at least"
                seconds={draft.for_seconds}
                least={0}
                isDisabled={isDisabled}
                onChange={(for_seconds) => change({ for_seconds })}
              />
            </Field>
          </div>
        ) : (
          <Field id={`${id}-silent`} label="No data for" isNarrow>
            <DurationInput
              id={`${id}-silent`}
              label="No data for"
              seconds={draft.silent_seconds}
              least={leastSilentSeconds}
              isDisabled={isDisabled}
              onChange={(silent_seconds) => change({ silent_seconds })}
            />
          </Field>
        )}
        {kind === 'device' && !isDisabled && (
          <p className={styles.hint}>
            Each device has a state of its own, checked with every message. With 0 it triggers at once, otherwise when the condition has
            held for that long.
          </p>
        )}
      </Row>
    </>
  );
}

function useChoices({ channel_id, device_ids }: AlertDraft) {
  const { channels, devices, attributes } = useDeviceChoices(
    { channel_id, device_ids: [...device_ids], attributes: [] },
    { isWhole: true },
  );
  return { channels, devices, names: attributes.names };
}

/** Includes the stored choice, even where the list does not have it (any more). */
const withStored = (options: { value: string; label: string }[], stored: readonly string[]) => [
  ...options,
  ...stored.filter((id) => id && options.every(({ value }) => value !== id)).map((id) => ({ value: id, label: id })),
];
