const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** A valid JSON number, without a leading plus or superfluous zeros. */
export const isJsonNumber = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);

/** Sign, significant digits and power of ten: equal for texts of equal value. */
function canonical(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (whole + fraction === '') return undefined;
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return '0';
  return `${sign === '-' ? '-' : ''}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/**
 * Design 8: a decimal or big integer is a number where a double holds it exactly, that is, where the double prints as the same value again.
 * Numbers of up to 15 digits always do.
 */
export function isExactNumber(text: string): boolean {
  if (text.length <= 15 && /^-?\d+(?:\.\d+)?$/.test(text)) return true;
  const value = canonical(text);
  return value !== undefined && value === canonical(String(Number(text)));
}

/** Decimal text as JSON: a number where it is exact, else text; NaN and the infinities are null (1.3). */
export function decimalJson(text: string): string {
  if (isExactNumber(text)) return isJsonNumber(text) ? text : String(Number(text));
  return /^[+-]?(?:nan|inf(?:inity)?)$/i.test(text) ? 'null' : JSON.stringify(text);
}
