import type { Command } from '@telltale/domain/commands/contract.ts';
import { Alert, Input, Radio, Select } from 'antd';
import { useId } from 'react';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { type Header, headersFault } from './cronPlan.ts';
import { OneTimePicker } from './OneTimePicker.tsx';
import { PlanFields } from './PlanFields.tsx';
import { SchedulePreview } from './SchedulePreview.tsx';
import styles from './Schedules.module.css';
import { type BuilderState, isInBuilder, timedOf, withCron, withHeader, withPlan } from './timedSchedule.ts';
import { zoneOptions } from './zones.ts';

interface ScheduleBuilderProps {
  command: Command;
  /** The kinds to choose from. */
  headers: readonly string[];
  state: BuilderState;
  onChange: (state: BuilderState) => void;
}

/** A5: Minutes to One Time, the expression as text, the zone, and a preview. */
export function ScheduleBuilder({ command, headers, state, onChange }: ScheduleBuilderProps) {
  const id = useId();
  const fault = headersFault(headers);
  if (fault) return <Alert type="error" showIcon title={fault} />;
  const isOnce = state.header === 'One Time';
  const isShown = isInBuilder(state) || state.cron === '';
  return (
    <div className={styles.builder}>
      <Radio.Group
        className={styles.headers ?? ''}
        optionType="button"
        aria-label="Repeats"
        value={isShown ? state.header : null}
        options={headers.map((header) => ({ value: header, label: header }))}
        onChange={({ target }) => onChange(withHeader(state, target.value as Header))}
      />
      <div className={styles.fields}>
        {isOnce ? (
          <Labelled id={`${id}-once`} label="Date and time" isRequired>
            <OneTimePicker id={`${id}-once`} value={state.once} zone={state.timezone} onChange={(once) => onChange({ ...state, once })} />
          </Labelled>
        ) : isShown ? (
          <PlanFields plan={state.plan} onChange={(plan) => onChange(withPlan(state, plan))} />
        ) : (
          <p className={styles.hint}>The expression below says more than these fields can. Choose a kind above to start over.</p>
        )}
      </div>
      <div className={styles.pair}>
        <Labelled id={`${id}-zone`} label="Time zone">
          <Select
            id={`${id}-zone`}
            value={state.timezone}
            options={zoneOptions(state.timezone)}
            showSearch={{ optionFilterProp: 'label' }}
            onChange={(timezone: string) => onChange({ ...state, timezone })}
          />
        </Labelled>
        {!isOnce && (
          <Labelled id={`${id}-cron`} label="Cron expression" info="Seconds, minutes, hours, day of month, month, day of week, year">
            <Input
              id={`${id}-cron`}
              className={styles.code ?? ''}
              value={state.cron}
              spellCheck={false}
              autoComplete="off"
              aria-describedby={`${id}-cron-info`}
              onChange={({ target }) => onChange(withCron(state, target.value))}
            />
          </Labelled>
        )}
      </div>
      <SchedulePreview schedule={timedOf(state)} command={command} />
    </div>
  );
}
