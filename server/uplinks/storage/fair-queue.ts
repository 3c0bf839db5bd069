import { type Entry, sizeOf } from './entry.ts';

/** Taken entries are dropped from the front of a line once there are so many of them. */
const dropAfter = 4096;

/** The waiting messages of one channel; those before `from` have been taken. */
interface Line {
  channel: number;
  entries: Entry[];
  from: number;
}

/**
 * Messages that wait for a flush. When more wait than fit in one flush, each channel has its turn, so that a flood of one channel does
 * not delay the acknowledgements of another. Messages of one channel keep their order. Taking costs as much as is taken, however many wait.
 */
export class FairQueue {
  #lines = new Map<number, Line>();
  length = 0;
  bytes = 0;

  push(entry: Entry): void {
    const channel = entry.kind === 'rejection' ? entry.channel.pk : entry.device.channel.pk;
    const line = this.#lines.get(channel);
    if (line) line.entries.push(entry);
    else this.#lines.set(channel, { channel, entries: [entry], from: 0 });
    this.length++;
    this.bytes += sizeOf(entry);
  }

  take(mostMessages: number, mostBytes: number): Entry[] {
    if (this.length <= mostMessages && this.bytes <= mostBytes) return this.#takeAll();
    const taken: Entry[] = [];
    let bytes = 0;
    while (this.#lines.size > 0 && taken.length < mostMessages && bytes < mostBytes) {
      for (const line of [...this.#lines.values()]) {
        if (taken.length >= mostMessages || bytes >= mostBytes) break;
        // A channel that waits alone needs no turns.
        const turns = this.#lines.size === 1 ? mostMessages - taken.length : 1;
        for (let turn = 0; turn < turns && line.from < line.entries.length && bytes < mostBytes; turn++) {
          const entry = line.entries[line.from++] as Entry;
          taken.push(entry);
          bytes += sizeOf(entry);
        }
        this.#served(line);
      }
    }
    this.length -= taken.length;
    this.bytes -= bytes;
    return taken;
  }

  #takeAll(): Entry[] {
    const [first, ...others] = this.#lines.values();
    this.#lines = new Map();
    [this.length, this.bytes] = [0, 0];
    if (!first) return [];
    const taken = first.from === 0 ? first.entries : first.entries.slice(first.from);
    for (const { entries, from } of others) for (let at = from; at < entries.length; at++) taken.push(entries[at] as Entry);
    return taken;
  }

  /** Puts a line behind the others, so that the next turn begins with a channel that has waited longer. */
  #served(line: Line): void {
    if (this.#lines.size > 1 || line.from === line.entries.length) this.#lines.delete(line.channel);
    if (line.from === line.entries.length) return;
    if (line.from >= dropAfter) {
      line.entries = line.entries.slice(line.from);
      line.from = 0;
    }
    this.#lines.set(line.channel, line);
  }
}
