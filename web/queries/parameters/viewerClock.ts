import type { Clock } from '@telltale/domain/parameters/dynamic-dates.ts';
import { useSession } from '../../api/session.ts';

export const viewerTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Design 8: the browser resolves dynamic dates in the viewer's zone; weeks begin as the organisation says (complaint 62). */
export function useViewerClock(): () => Clock {
  const { weekStart } = useSession().client_config;
  return () => ({ now: new Date(), timeZone: viewerTimeZone(), weekStart });
}
