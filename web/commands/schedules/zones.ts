import { defaultTimezone } from '@telltale/domain/commands/schedule.ts';

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Browsers list the older of two names of a zone, so the default and the browser's own zone are added. */
export function zoneOptions(chosen: string, now = new Date()): { value: string; label: string }[] {
  const names = new Set(['UTC', defaultTimezone, browserZone(), chosen, ...Intl.supportedValuesOf('timeZone')]);
  return [...names]
    .sort()
    .map((zone) => ({ value: zone, label: zone === 'UTC' ? zone : `${zone.replaceAll('_', ' ')} (${offsetText(zone, now)})` }));
}

/** `UTC+05:30` */
export function offsetText(zone: string, at: Date): string {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return name === 'GMT' ? 'UTC+00:00' : name.replace('GMT', 'UTC');
  } catch {
    return zone;
  }
}

const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** The wall time of a zone as `YYYY-MM-DD HH:mm:ss`, which sorts by time. */
export const wallClock = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { ...parts, hourCycle: 'h23', timeZone: zone }).format(at);
