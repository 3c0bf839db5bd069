const negative = 0x4000;
const special: Record<number, string> = { 49152: 'NaN', 53248: 'Infinity', 61440: '-Infinity' };
const group = 4;

/** A `numeric` in binary form as PostgreSQL prints it: groups of four decimal digits, the first one worth 10000^weight. */
export function numericText(view: DataView, at: number): string {
  const groups = view.getUint16(at);
  const weight = view.getInt16(at + 2);
  const sign = view.getUint16(at + 4);
  const scale = view.getUint16(at + 6);
  const named = special[sign];
  if (named) return named;
  const digits = (index: number) =>
    index < 0 || index >= groups ? '0000' : String(view.getUint16(at + 8 + index * 2)).padStart(group, '0');
  let whole = '';
  for (let i = 0; i <= weight; i++) whole += digits(i);
  let fraction = '';
  for (let i = weight + 1; fraction.length < scale; i++) fraction += digits(i);
  const text = `${whole.replace(/^0+/, '') || '0'}${scale > 0 ? `.${fraction.slice(0, scale)}` : ''}`;
  return sign === negative ? `-${text}` : text;
}
