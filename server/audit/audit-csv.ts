import type { AuditEntry } from '@telltale/domain/audit/contract.ts';

const atOnce = 1000;

const columns = ['at', 'user_id', 'user', 'email', 'key', 'address', 'action', 'object_type', 'object_id', 'object_name', 'details'];

/** Security 33: prefixes values that a spreadsheet would run as a formula. */
function cell(value: string | number | null | undefined): string {
  const text = value === null || value === undefined ? '' : String(value);
  const safe = /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const line = ({ at, user, key, address, action, object_type, object_id, object_name, details }: AuditEntry) =>
  [at, user?.id, user?.name, user?.email, key, address, action, object_type, object_id, object_name, JSON.stringify(details)]
    .map(cell)
    .join(',');

type Read = (before: AuditEntry | undefined, limit: number) => Promise<AuditEntry[]>;

/** Reads page by page, so that a long log needs no more memory than a short one. */
export async function* csvOf(read: Read): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${columns.join(',')}\r\n`);
  let before: AuditEntry | undefined;
  for (;;) {
    const entries = await read(before, atOnce);
    if (entries.length > 0) yield Buffer.from(`${entries.map(line).join('\r\n')}\r\n`);
    if (entries.length < atOnce) return;
    before = entries.at(-1);
  }
}
