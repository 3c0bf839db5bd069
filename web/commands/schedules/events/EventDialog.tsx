import type { Command } from '@telltale/domain/commands/contract.ts';
import type { Condition, Schedule } from '@telltale/domain/commands/schedule.ts';
import { InputNumber, Select } from 'antd';
import { useId, useState } from 'react';
import { controlState } from '../../../ui/form/controlState.ts';
import { faultText } from '../../../ui/form/faults.ts';
import { Labelled } from '../../../ui/form/Labelled.tsx';
import { focusField } from '../../form/focusField.ts';
import { useAttributes, useChannelChoices, useDeviceChoices } from '../../useTargets.ts';
import { ScheduleFormDialog } from '../ScheduleFormDialog.tsx';
import styles from '../Schedules.module.css';
import { browserZone } from '../zones.ts';
import { ConditionBuilder } from './ConditionBuilder.tsx';
import { draftOfCondition, eventFields, type GroupDraft, hasFault, newGroup } from './conditionDraft.ts';

interface EventDialogProps {
  command: Command;
  /** The schedule to change; undefined for a new one. */
  schedule?: Schedule | undefined;
  onClose: () => void;
}

/** A2: sends the command when a device's report meets the conditions; 700 wide. */
export default function EventDialog({ command, schedule, onClose }: EventDialogProps) {
  const id = useId();
  const [isTried, setTried] = useState(false);
  const [channelId, setChannelId] = useState(schedule?.channel_id ?? command.channel_id);
  const [deviceId, setDeviceId] = useState(schedule?.device_id ?? '');
  const [group, setGroup] = useState<GroupDraft>(() => savedGroup(schedule));
  const [cooldown, setCooldown] = useState<number | null>(schedule?.cooldown_seconds ?? 0);
  const [clear, setClear] = useState<number | null>(schedule?.clear_value ?? null);
  const [hold, setHold] = useState<number | null>(schedule?.hold_seconds ?? 0);
  const channels = useChannelChoices();
  const devices = useDeviceChoices(channelId);
  const attributes = useAttributes(channelId, deviceId === '' ? [] : [deviceId]);
  const names = attributes?.map((one) => one.name) ?? null;
  const deviceFault = isTried && deviceId === '' ? faultText.required : undefined;
  // Hysteresis needs a single threshold.
  const fields = eventFields(group) as { operator?: string | null; value?: unknown };
  const threshold = /^[<>]/.test(fields.operator ?? '') && typeof fields.value === 'number' ? { ...fields, value: fields.value } : null;

  const bodyOf = (name: string) => {
    setTried(true);
    if (deviceId === '') focusField(id, 'device');
    if (deviceId === '' || hasFault(group, names)) return null;
    const plain = { attribute: null, operator: null, value: null, condition: null };
    return {
      ...{ type: 'e', name: name.trim(), timezone: schedule?.timezone ?? browserZone(), channel_id: channelId, device_id: deviceId },
      ...{ hold_seconds: hold ?? 0, cooldown_seconds: cooldown ?? 0, clear_value: threshold ? clear : null },
      ...plain,
      ...eventFields(group),
    };
  };

  return (
    <ScheduleFormDialog {...{ id, command, schedule, onClose, bodyOf }} noun="Event" width={700} placeholder="Too warm">
      <div className={styles.pair}>
        <Labelled id={`${id}-channel`} label="Channel" isRequired>
          <Select
            id={`${id}-channel`}
            value={channelId}
            loading={channels.isPending}
            options={channels.options}
            showSearch={{ optionFilterProp: 'label' }}
            onChange={(next: string) => {
              setChannelId(next);
              setDeviceId('');
            }}
          />
        </Labelled>
        <Labelled id={`${id}-device`} label="Device" isRequired fault={deviceFault}>
          <Select
            {...controlState(`${id}-device`, deviceFault)}
            placeholder="Choose a device"
            value={deviceId || null}
            loading={devices.isPending}
            options={devices.options}
            showSearch={{ optionFilterProp: 'label' }}
            onChange={(next: string) => setDeviceId(next)}
          />
        </Labelled>
      </div>
      <div>
        <span className={styles.caption}>Send the command when</span>
        <ConditionBuilder group={group} onChange={setGroup} attributes={attributes} isTried={isTried} />
        {attributes?.length === 0 && <p className={styles.hint}>This device has not reported anything yet.</p>}
      </div>
      {threshold && (
        <Labelled
          id={`${id}-clear`}
          label="Ready again at"
          info={`Empty: as soon as the condition no longer holds. Otherwise only when the value is ${threshold.operator?.startsWith('>') ? 'at or below' : 'at or above'} this`}
        >
          <InputNumber
            {...controlState(`${id}-clear`, undefined, true)}
            className={styles.wide ?? ''}
            controls={false}
            changeOnWheel={false}
            placeholder={String(threshold.value)}
            value={clear}
            onChange={setClear}
          />
        </Labelled>
      )}
      <div className={styles.pair}>
        <SecondsField id={`${id}-hold`} label="Only if it stays so for" info="0 sends at once" value={hold} onChange={setHold} />
        <SecondsField
          id={`${id}-cooldown`}
          label="At most once every"
          info="0 sends each time it becomes true"
          value={cooldown}
          onChange={setCooldown}
        />
      </div>
    </ScheduleFormDialog>
  );
}

interface SecondsFieldProps {
  id: string;
  label: string;
  info: string;
  value: number | null;
  onChange: (value: number | null) => void;
}

const SecondsField = ({ id, label, info, value, onChange }: SecondsFieldProps) => (
  <Labelled id={id} label={label} info={info}>
    <InputNumber
      {...controlState(id, undefined, true)}
      className={styles.wide ?? ''}
      controls={false}
      changeOnWheel={false}
      min={0}
      max={86_400}
      precision={0}
      suffix="s"
      value={value}
      onChange={onChange}
    />
  </Labelled>
);

/** A plain event stores its comparison in fields of its own. */
function savedGroup(schedule: Schedule | undefined): GroupDraft {
  if (!schedule) return newGroup();
  const { condition, attribute, operator, value } = schedule;
  return draftOfCondition(condition ?? ({ attribute: attribute ?? '', operator: operator ?? '>', value } as Condition));
}
