/** What JavaScript makes of a value of the database. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'date' | 'bytes';

/** What a property of a declared row type allows. */
export interface Column {
  /** Undefined where the type says nothing: `unknown`, a type parameter. */
  kinds?: Kind[];
  /** The only strings and numbers that are allowed. */
  literals?: (string | number)[];
  isOptional?: true;
}

export type Shape = Record<string, Column>;

/** A statement of the sources: `sql<T>` and what T says. */
export interface Statement {
  /** File and line, as in `server/users/users.store.ts:32`. */
  place: string;
  /** Where `sql<T>` begins and ends in the text of the file. */
  start: number;
  end: number;
  /** Undefined where T is a type parameter: then a fragment inside the statement declares the columns. */
  shape?: Shape;
}

/** A column of an answer: its name and the number of its type. */
export interface Field {
  name: string;
  dataTypeID: number;
}

/** The type of pg_notify() and its like: selected for its effect, it has no value. */
const voidType = 2278;

/** How many rows of an answer are looked at. */
const mostRows = 50;

/** Kinds by the number of the type (pg_type.oid); types that are left out are judged by their values alone. */
const kindOfType = new Map<number, Kind>([
  ...[20, 21, 23, 26, 700, 701].map((oid) => [oid, 'number'] as const),
  ...[17].map((oid) => [oid, 'bytes'] as const),
  ...[16].map((oid) => [oid, 'boolean'] as const),
  // text, name, numeric, date, timestamptz, uuid and their like
  ...[18, 19, 25, 1042, 1043, 1082, 1184, 1700, 2950, 869, 650].map((oid) => [oid, 'string'] as const),
  ...[1000, 1003, 1005, 1007, 1009, 1015, 1016, 1021, 1022, 1028, 1115, 1185, 1231, 2951].map((oid) => [oid, 'array'] as const),
]);

function kindOf(value: unknown): Kind | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof Uint8Array) return 'bytes';
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'object' ? kind : undefined;
}

/** Lists how an answer differs from the declared row type; empty if it does not. */
export function differences(shape: Shape, fields: readonly Field[], rows: readonly Record<string, unknown>[]): string[] {
  const found = new Set<string>();
  const names = new Set(fields.map(({ name }) => name));
  for (const [name, column] of Object.entries(shape)) {
    if (!names.has(name) && !column.isOptional) found.add(`column ${name} is declared and not selected`);
  }
  for (const { name, dataTypeID } of fields) {
    const column = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!column) {
      if (dataTypeID !== voidType) found.add(`column ${name} is selected and not declared`);
      continue;
    }
    const kind = kindOfType.get(dataTypeID);
    if (kind && column.kinds && !column.kinds.includes(kind)) found.add(mismatch(name, column, kind));
    for (const row of rows.slice(0, mostRows)) {
      const difference = differenceOf(name, column, row[name]);
      if (difference) found.add(difference);
    }
  }
  return [...found];
}

const mismatch = (name: string, column: Column, found: string) =>
  `column ${name} is declared ${column.kinds?.join(' | ') || 'never'}, but came as ${found}`;

function differenceOf(name: string, column: Column, value: unknown): string | undefined {
  const kind = kindOf(value);
  if (column.kinds && (!kind || !column.kinds.includes(kind))) return mismatch(name, column, kind ?? typeof value);
  const isUnlisted = (kind === 'string' || kind === 'number') && column.literals && !column.literals.includes(value as string | number);
  return isUnlisted ? `column ${name} is declared ${column.literals?.join(' | ')}, but came as ${JSON.stringify(value)}` : undefined;
}
