import { useEffect } from 'react';
import { useSession } from '../api/session.ts';

/** Date fields take the first day of the week from the library of dates, which most pages do not load: only another day than Sunday needs it. */
export function useCalendarWeek(): void {
  const { weekStart } = useSession().client_config;
  useEffect(() => {
    if (weekStart === shown) return;
    shown = weekStart;
    void import('dayjs').then(({ Ls }) => Object.assign(Ls.en ?? {}, { weekStart: shown }));
  }, [weekStart]);
}

let shown = 0;
