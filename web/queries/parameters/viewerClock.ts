import type { Clock } from '@telltale/domain/parameters/dynamic-dates.ts';

export const viewerTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Design 8: in the browser dynamic dates are the viewer's. */
export const viewerClock = (): Clock => ({ now: new Date(), timeZone: viewerTimeZone() });
