/**
 * Rollups of a minute are made when it is over and this much more has passed (rollups.ts). A writer of an older point reports it in the
 * same transaction, so that its minute is counted again.
 */
export const lateMicros = 30_000_000;
const hourMicros = 3_600_000_000;

interface Span {
  from: number;
  to: number;
}

/** Late times of devices, by hour: two readings a year apart do not make the rollups read a whole year. */
export class LateTimes {
  readonly #spans = new Map<number, Map<number, Span>>();

  note(devicePk: number, micros: number): void {
    const hours = this.#spans.get(devicePk) ?? new Map<number, Span>();
    const hour = Math.floor(micros / hourMicros);
    const span = hours.get(hour);
    if (!span) this.#spans.set(devicePk, hours.set(hour, { from: micros, to: micros }));
    else {
      span.from = Math.min(span.from, micros);
      span.to = Math.max(span.to, micros);
    }
  }

  /** Everything between two times, which may lie in several hours. */
  noteSpan(devicePk: number, from: number, to: number): void {
    for (let at = from; at <= to; ) {
      const end = (Math.floor(at / hourMicros) + 1) * hourMicros - 1;
      this.note(devicePk, at);
      this.note(devicePk, Math.min(end, to));
      at = end + 1;
    }
  }

  *[Symbol.iterator](): Generator<[devicePk: number, from: number, to: number]> {
    for (const [pk, hours] of this.#spans) for (const { from, to } of hours.values()) yield [pk, from, to];
  }
}
