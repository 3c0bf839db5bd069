const two = (value: number) => String(value).padStart(2, '0');

/** Complaint 8: "0.02 s", "1 min 30 s", "2 h 5 min"; "-" where it is not known. */
export function durationText(seconds: number | null | undefined): string {
  if (seconds == null || !Number.isFinite(seconds) || seconds < 0) return '-';
  if (seconds < 0.01) return seconds === 0 ? '0 s' : '< 0.01 s';
  if (seconds < 59.95) return `${trimmed(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  return joined(Math.floor(whole / 3600), 'h', Math.round((whole % 3600) / 60), 'min');
}

const trimmed = (seconds: number) => (seconds < 1 ? Number(seconds.toPrecision(2)) : Number(seconds.toFixed(1)));

const joined = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

/** D9: the timer of a run, mm:ss, or HH:mm:ss from one hour on. */
export function timerText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const rest = `${two(minutes % 60)}:${two(seconds % 60)}`;
  return minutes < 60 ? rest : `${two(Math.floor(minutes / 60))}:${rest}`;
}

/** Q9: steps of 1024 up to PB. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** step).toFixed(1))} ${units[step]}`;
}
