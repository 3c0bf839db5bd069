export type FileType = 'json' | 'csv' | 'tsv' | 'xlsx';

export const contentTypes: Record<FileType, string> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=UTF-8',
  tsv: 'text/tab-separated-values; charset=UTF-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** server-behaviour 11.3: a query's name as the beginning of a file name; empty when no character is left. */
const baseOf = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[<>:"\\/|?*]+/g, ' ')
    .replace(/\s+/g, '_')
    .replace(/^_+|_+$/g, '');

export interface Download {
  result_id: number;
  /** ISO text. */
  retrieved_at: string;
  /** The query in the address, if there is one. */
  query?: { id: number; name: string };
}

export function fileName({ result_id, retrieved_at, query }: Download, type: FileType): string {
  const base = query ? baseOf(query.name) || String(query.id) : String(result_id);
  return `${base}_${retrieved_at.slice(0, 10).replaceAll('-', '_')}.${type}`;
}

const folded = (text: string) => text.normalize('NFKD').replace(/[^\x20-\x7e]/g, '');
const parameter = (text: string) => (/^[\w.!#$%&'^`|~+-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`);
const percentEncoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** 11.3: a name beyond ASCII is sent twice, without its accents and in full. */
export function contentDisposition(download: Download, type: FileType): string {
  const name = fileName(download, type);
  const plain = folded(name);
  if (plain === name) return `attachment; filename=${parameter(name)}`;
  const id = String(download.query?.id ?? download.result_id);
  return `attachment; filename=${parameter(plain.startsWith('_') ? id + plain : plain)}; filename*=UTF-8''${percentEncoded(name)}`;
}
