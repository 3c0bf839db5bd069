import { anyJson, type Encode } from './values.ts';

/**
 * Turns a row, as the driver's array of values, into JSON object text. Names must be unique already. A column without an encoder is encoded
 * by the types of its values.
 */
export function rowSerializer(names: readonly string[], encoders: readonly (Encode | undefined)[] = []) {
  const columns = names.map((name, i) => ({ key: `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`, encode: encoders[i] ?? anyJson }));
  return (values: readonly unknown[]): string => {
    if (columns.length === 0) return '{}';
    let text = '';
    for (let i = 0; i < columns.length; i++) {
      const { key, encode } = columns[i] as (typeof columns)[number];
      const value = values[i];
      text += value === null || value === undefined ? `${key}null` : key + encode(value);
    }
    return `${text}}`;
  };
}
