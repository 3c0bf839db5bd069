/** The meaning of a cell's number, derived from its display format. */
export type NumberKind = 'number' | 'date' | 'datetime' | 'time' | 'duration';

const builtIn = (id: number): NumberKind => {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 54) || id === 57 || id === 58) return 'date';
  if (id === 46) return 'duration';
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47) || id === 55 || id === 56) return 'time';
  return id === 22 ? 'datetime' : 'number';
};

export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) return builtIn(id);
  // Texts, escaped characters, colours and conditions do not matter; [h] and similar count beyond a day.
  const bare = (code.split(';')[0] ?? '').replace(/"[^"]*"|\\.|_.|\*.|am\/pm|a\/p/gi, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  // An m next to hours or seconds means minutes.
  const withoutMinutes = bare
    .replace(/h+\]?[^a-z]*m+/gi, 'h')
    .replace(/m+[^a-z]*\[?s/gi, 's')
    .replace(/\[m+\]/gi, 's');
  const hasTime = /[hs]/i.test(withoutMinutes);
  if (/[ymd]/i.test(withoutMinutes)) return hasTime ? 'datetime' : 'date';
  if (!hasTime) return 'number';
  return /\[[hms]/i.test(bare) ? 'duration' : 'time';
}

const dayMs = 86_400_000;

/** Converts a serial number to ISO text in the workbook's calendar; numbers outside of the calendar stay numbers. */
export function dateOf(serial: number, kind: NumberKind, is1904: boolean): string | number {
  if (kind === 'number' || !(serial >= 0 && serial < 2_958_466)) return serial;
  const ms = Math.round(serial * dayMs);
  if (kind === 'duration') return durationText(ms);
  if (kind === 'time' && serial < 1) return new Date(ms).toISOString().slice(11, 19);
  // The 1900 calendar contains a 29 February 1900 that never existed: the dates before it count from one day later.
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const iso = new Date(epoch + ms).toISOString();
  return kind === 'date' && ms % dayMs === 0 ? iso.slice(0, 10) : iso.replace(/\.000Z$|Z$/, '');
}

/** Hours count on beyond a day: 1.5 days are `36:00:00`. */
function durationText(ms: number): string {
  const [, minutes = '', seconds = '', fraction] = /:(\d\d):(\d\d)\.(\d{3})/.exec(new Date(ms).toISOString()) ?? [];
  const whole = `${String(Math.floor(ms / 3_600_000)).padStart(2, '0')}:${minutes}:${seconds}`;
  return fraction === '000' ? whole : `${whole}.${fraction}`;
}
