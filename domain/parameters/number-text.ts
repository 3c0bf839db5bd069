const decimal = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:e([+-]?\d{1,4}))?$/i;

/**
 * The number as a literal that every dialect reads alike, null when it is none: no `nan`, no `inf`, no `1_000`, no hex
 * (server-behaviour 10.2). Digits beyond a double are kept: `12345678901234567890` is unchanged.
 */
export function canonicalNumber(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const match = decimal.exec(text);
  if (!match || !Number.isFinite(Number(text))) return null;
  const [, sign = '', digits = '', exponent] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  const number = `${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction && `.${fraction}`}${exponent ? `e${Number(exponent)}` : ''}`;
  return sign === '-' && Number(text) !== 0 ? `-${number}` : number;
}

/** A text that is a number as it stands: `5`, `-0.25`, `1e6`. */
export const isNumberText = (text: string): boolean => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
