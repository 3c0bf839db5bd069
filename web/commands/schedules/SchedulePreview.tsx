import { useQuery } from '@tanstack/react-query';
import { type Command, schedulesApi } from '@telltale/domain/commands/contract.ts';
import type { SchedulePreview as Preview } from '@telltale/domain/commands/schedule.ts';
import { useEffect, useState } from 'react';
import { type ApiError, call } from '../../api/call.ts';
import { wallText } from '../../ui/momentText.ts';
import { DutyCycleNote } from './DutyCycleNote.tsx';
import styles from './Schedules.module.css';
import type { TimedSchedule } from './timedSchedule.ts';
import { wallClock } from './zones.ts';

const typingMs = 250;

/** The server's preview of a schedule; the last good answer stays until the next one arrives. */
function useSchedulePreview(schedule: TimedSchedule) {
  const asked = useSettled(schedule);
  return useQuery<Preview, ApiError>({
    queryKey: ['schedule-preview', asked],
    queryFn: ({ signal }) => call(schedulesApi.preview, { body: asked }, { signal }),
    enabled: asked.schedule.trim() !== '',
    retry: false,
    gcTime: 0,
  });
}

function useSettled(schedule: TimedSchedule): TimedSchedule {
  const text = JSON.stringify(schedule);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as TimedSchedule;
}

/** The sentence and the next five runs, in the chosen zone and in UTC. */
export function SchedulePreview({ schedule, command }: { schedule: TimedSchedule; command: Command }) {
  const { data, error, isPending } = useSchedulePreview(schedule);
  return (
    <section className={styles.preview} aria-label="Next runs" aria-busy={isPending} aria-live="polite">
      {error && (
        <p className={styles.fault} role="alert">
          {error.message}
        </p>
      )}
      {data && (
        <>
          <p className={styles.meaning}>{data.sentence}</p>
          <table className={styles.runs}>
            <thead>
              <tr>
                <th scope="col">Next runs in {data.timezone.replaceAll('_', ' ')}</th>
                <th scope="col">UTC</th>
              </tr>
            </thead>
            <tbody>
              {data.next.map((at) => (
                <tr key={at}>
                  <td>
                    <time dateTime={at}>{wallText(wallClock(new Date(at), data.timezone))}</time>
                  </td>
                  <td>{wallText(wallClock(new Date(at), 'UTC'))}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <DutyCycleNote command={command} next={data.next} />
        </>
      )}
    </section>
  );
}
