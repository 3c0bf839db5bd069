import {
  canEndOn,
  dialogResult,
  hasDay,
  hasTime,
  shiftTime,
  timeStepMinutes,
  withDay,
  withInterval,
  withTime,
  withUntil,
} from '@telltale/domain/schedules/dialog.ts';
import { intervalGroups, intervalText } from '@telltale/domain/schedules/intervals.ts';
import { never, readSchedule, type Schedule, weekdays } from '@telltale/domain/schedules/schedule.ts';
import { Radio, Select } from 'antd';
import dayjs from 'dayjs';
import { useId, useState } from 'react';
import { recordEvent } from '../../api/events.ts';
import { useSession } from '../../api/session.ts';
import { DayInput } from '../../ui/DayInput.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { EditedQuery } from '../useEditedQuery.ts';
import styles from './Dialogs.module.css';

const unitTitles = { second: 'Seconds', minute: 'Minutes', hour: 'Hours', day: 'Days', week: 'Weeks' };
const minutesEast = () => -new Date().getTimezoneOffset();
const two = (value: number) => String(value).padStart(2, '0');
const steps = (size: number, step: number) =>
  Array.from({ length: size / step }, (_, at) => ({ value: two(at * step), label: two(at * step) }));

/** Q4 and screens 7: entered in local time, kept in UTC. */
export default function ScheduleDialog({ edited, onClose }: { edited: EditedQuery; onClose: () => void }) {
  const { queryRefreshIntervals } = useSession().client_config;
  const before = readSchedule(edited.saved?.schedule).schedule;
  const [schedule, setSchedule] = useState<Schedule>(before ?? never);
  const id = useId();
  const today = dayjs().format('YYYY-MM-DD');
  const tomorrow = dayjs().add(1, 'day').format('YYYY-MM-DD');
  const local = schedule.time === null ? null : shiftTime(schedule.time, schedule.day_of_week, minutesEast());
  const [hour = '00', minute = '00'] = local?.time.split(':') ?? [];

  const setLocal = (time: string, day: Schedule['day_of_week']) => {
    const utc = shiftTime(time, day, -minutesEast());
    const next = withTime(schedule, utc.time);
    setSchedule(utc.day_of_week ? withDay(next, utc.day_of_week) : next);
  };
  const save = async () => {
    const result = dialogResult(before, schedule);
    if (result === undefined || !edited.saved) return;
    await edited.saveDetails({ schedule: result });
    recordEvent('edit_schedule', 'query', edited.saved.id);
  };

  return (
    <Dialog title="Refresh Schedule" onOk={save} onClose={onClose}>
      <div className={styles.fields}>
        <label htmlFor={`${id}-every`}>Refresh every</label>
        <Select
          id={`${id}-every`}
          value={schedule.interval ?? 0}
          onChange={(seconds: number) => setSchedule(withInterval(schedule, seconds || null))}
          options={[
            { value: 0, label: 'Never' },
            ...intervalGroups(queryRefreshIntervals).map(({ unit, intervals }) => ({
              label: unitTitles[unit],
              title: unitTitles[unit],
              options: intervals.map((seconds) => ({ value: seconds, label: intervalText(seconds) })),
            })),
          ]}
        />
        {hasTime(schedule) && local && (
          <>
            <label htmlFor={`${id}-hour`}>On time</label>
            <span className={styles.row}>
              <Select
                id={`${id}-hour`}
                aria-label="Hour"
                value={hour}
                options={steps(24, 1)}
                onChange={(next: string) => setLocal(`${next}:${minute}`, local.day_of_week)}
              />
              :
              <Select
                aria-label="Minute"
                value={minute}
                options={steps(60, timeStepMinutes)}
                onChange={(next: string) => setLocal(`${hour}:${next}`, local.day_of_week)}
              />
              <span className={styles.help}>({schedule.time} UTC)</span>
            </span>
          </>
        )}
        {hasDay(schedule) && local && (
          <>
            <span className={styles.caption}>On day</span>
            <Radio.Group
              size="small"
              optionType="button"
              aria-label="On day"
              value={local.day_of_week}
              options={weekdays.map((day) => ({ value: day, label: day.charAt(0), title: day }))}
              onChange={({ target }) => setLocal(local.time, target.value)}
            />
          </>
        )}
        {schedule.interval !== null && (
          <>
            <span className={styles.caption}>Ends</span>
            <span className={styles.row}>
              <Radio.Group
                aria-label="Ends"
                value={schedule.until === null ? 'never' : 'on'}
                options={[
                  { value: 'never', label: 'Never' },
                  { value: 'on', label: 'On' },
                ]}
                onChange={({ target }) => setSchedule(withUntil(schedule, target.value === 'on' ? tomorrow : null, today))}
              />
              {schedule.until !== null && (
                <DayInput
                  label="Last day"
                  min={tomorrow}
                  isRequired
                  value={schedule.until}
                  onChange={(day) => canEndOn(day, today) && setSchedule(withUntil(schedule, day, today))}
                />
              )}
            </span>
          </>
        )}
      </div>
    </Dialog>
  );
}
