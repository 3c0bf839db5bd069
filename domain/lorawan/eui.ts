const written = /^[0-9a-f]{16}$/;

/** iot-behaviour 2.6: 16 lower-case hex digits; separators and upper case are accepted. Null when the text is no EUI. */
export function readEui(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const eui = text.replace(/[\s:-]/g, '').toLowerCase();
  return written.test(eui) ? eui : null;
}

export const euiMessage = 'A DevEUI has 16 hexadecimal digits.';
