import { Checkbox, Radio, TimePicker } from 'antd';
import dayjs from 'dayjs';
import { type CronPlan, ranges, type Weekday, weekdays } from './cronPlan.ts';
import { NumberBox } from './NumberBox.tsx';
import styles from './Schedules.module.css';

interface PlanFieldsProps {
  plan: CronPlan;
  onChange: (plan: CronPlan) => void;
}

const dayNames: Record<Weekday, string> = {
  MON: 'Monday',
  TUE: 'Tuesday',
  WED: 'Wednesday',
  THU: 'Thursday',
  FRI: 'Friday',
  SAT: 'Saturday',
  SUN: 'Sunday',
};

/** A5: the fields of the current header. */
export function PlanFields({ plan, onChange }: PlanFieldsProps) {
  const set = (changes: Partial<CronPlan>) => onChange({ ...plan, ...changes });
  switch (plan.header) {
    case 'Minutes':
      return (
        <div className={styles.sentence}>
          Every <NumberBox label="Minutes" value={plan.minutes} range={ranges.minutes} onChange={(minutes) => set({ minutes })} /> minute(s)
        </div>
      );
    case 'Hourly':
      return (
        <div className={styles.sentence}>
          Every <NumberBox label="Hours" value={plan.hours} range={ranges.hours} onChange={(hours) => set({ hours })} /> hour(s)
        </div>
      );
    case 'Daily':
      return <DailyFields plan={plan} onChange={onChange} />;
    case 'Weekly':
      return (
        <>
          <Checkbox.Group
            className={styles.weekdays ?? ''}
            value={[...plan.weekly]}
            options={weekdays.map((day) => ({ value: day, label: dayNames[day] }))}
            onChange={(chosen) => set({ weekly: weekdays.filter((day) => chosen.includes(day)) })}
          />
          {plan.weekly.length === 0 && (
            <p className={styles.fault} role="alert">
              Choose at least one day.
            </p>
          )}
          <StartTime plan={plan} onChange={onChange} />
        </>
      );
    case 'Monthly':
      return <MonthlyFields plan={plan} onChange={onChange} />;
  }
}

function DailyFields({ plan, onChange }: PlanFieldsProps) {
  const set = (changes: Partial<CronPlan>) => onChange({ ...plan, ...changes });
  return (
    <>
      <Radio.Group className={styles.choices ?? ''} value={plan.daily} onChange={({ target }) => set({ daily: target.value })}>
        <Radio value="every">
          <span className={styles.sentence}>
            Every <NumberBox label="Days" value={plan.days} range={ranges.days} onChange={(days) => set({ days, daily: 'every' })} /> day(s)
          </span>
        </Radio>
        <Radio value="weekday">Every weekday, Monday to Friday</Radio>
      </Radio.Group>
      <StartTime plan={plan} onChange={onChange} />
    </>
  );
}

function MonthlyFields({ plan, onChange }: PlanFieldsProps) {
  const set = (changes: Partial<CronPlan>) => onChange({ ...plan, ...changes });
  return (
    <>
      <Radio.Group className={styles.choices ?? ''} value={plan.monthly} onChange={({ target }) => set({ monthly: target.value })}>
        <Radio value="day">
          <span className={styles.sentence}>
            Day <NumberBox label="Day of month" value={plan.day} range={ranges.day} onChange={(day) => set({ day, monthly: 'day' })} /> of
            every month
          </span>
        </Radio>
        <Radio value="last">Last day of every month</Radio>
        <Radio value="lastWeekday">Last weekday of every month</Radio>
        <Radio value="before">
          <span className={styles.sentence}>
            <NumberBox
              label="Days before the end"
              value={plan.before}
              range={ranges.before}
              onChange={(before) => set({ before, monthly: 'before' })}
            />{' '}
            day(s) before the end of the month
          </span>
        </Radio>
      </Radio.Group>
      <StartTime plan={plan} onChange={onChange} />
    </>
  );
}

function StartTime({ plan, onChange }: PlanFieldsProps) {
  return (
    <div className={styles.sentence}>
      Start time
      <TimePicker
        className={styles.clock ?? ''}
        aria-label="Start time"
        format="HH:mm"
        allowClear={false}
        needConfirm={false}
        showNow={false}
        value={dayjs().hour(plan.hour).minute(plan.minute)}
        onChange={(time) => time && onChange({ ...plan, hour: time.hour(), minute: time.minute() })}
      />
    </div>
  );
}
