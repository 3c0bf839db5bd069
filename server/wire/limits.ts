/** W35: the limits of one result. */
export interface ResultLimits {
  rows: number;
  /** Bytes of the whole result, as JSON text. */
  bytes: number;
  /** Bytes of one row, as JSON text. */
  rowBytes: number;
}

export const defaultLimits: ResultLimits = { rows: 10_000_000, bytes: 2 * 1024 ** 3, rowBytes: 16 * 1024 ** 2 };

export class ResultLimitError extends Error {
  override name = 'ResultLimitError';
  readonly limit: keyof ResultLimits;

  constructor(limit: keyof ResultLimits, value: number) {
    const size = value >= 1024 ** 2 ? `${Math.round(value / 1024 ** 2).toLocaleString('en')} MB` : `${value.toLocaleString('en')} bytes`;
    const messages = {
      rows: `The result has more than ${value.toLocaleString('en')} rows. Add a LIMIT or aggregate.`,
      bytes: `The result is larger than ${size}. Add a LIMIT or select fewer columns.`,
      rowBytes: `A row of the result is larger than ${size}. Select fewer columns or cut long values.`,
    };
    super(messages[limit]);
    this.limit = limit;
  }
}
