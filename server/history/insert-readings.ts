import type { HistoryStore } from './history-store.ts';
import { hourColumns, readingColumns } from './history-tables.ts';
import type { WaitingReading } from './outbox.store.ts';
import { RowBinary } from './row-binary.ts';

type SentReading = Omit<WaitingReading, 'target'>;

/** Inserts readings, last values or hours with their versions. */
export function insertReadings(store: HistoryStore, target: WaitingReading['target'], readings: readonly SentReading[]): Promise<void> {
  const rows = new RowBinary();
  for (const reading of readings) {
    rows.row().int32(reading.channel_pk).int32(reading.device_pk).text(reading.channel_id).text(reading.device_id).text(reading.attribute);
    store.writeMoment(rows, reading.micros);
    if (target === 'hour') writeHour(rows, reading);
    else writeReading(rows, reading);
    rows.int64(reading.id).flag(reading.is_deleted);
  }
  return store.insertRows(target, target === 'hour' ? hourColumns : readingColumns, rows);
}

function writeReading(rows: RowBinary, { micros, value, value_text, kind, uplink_id }: SentReading): void {
  rows
    .int64(micros)
    .orNull(value, (number) => rows.float64(number))
    .orNull(value_text, (text) => rows.text(text))
    .text(kind)
    .orNull(uplink_id, (text) => rows.text(text));
}

/** The text of an hour is `count, sum, min, max, last` between tabs. */
function writeHour(rows: RowBinary, { value_text }: SentReading): void {
  const [count = 0, ...figures] = (value_text ?? '').split('\t').map(Number);
  rows.int64(count);
  for (const figure of figures) rows.float64(figure);
}
