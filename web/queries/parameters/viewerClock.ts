import type { Clock } from '@telltale/domain/parameters/dynamic-dates.ts';

export const viewerTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Design 8: the browser resolves dynamic dates in the viewer's zone. */
export const viewerClock = (): Clock => ({ now: new Date(), timeZone: viewerTimeZone() });
