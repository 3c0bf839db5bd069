import type { Source } from '../../wire/chunk.ts';
import { combineCrc32 } from '../../wire/crc32.ts';
import { deflated } from '../../wire/deflated.ts';
import { finalBlock } from '../../wire/gzip-frame.ts';

/** Bytes of a file in the archive; pieces of one file follow each other. */
export interface ZipPiece {
  name: string;
  bytes: Uint8Array;
}

export interface ZipEntry {
  name: string;
  offset: number;
  crc32: number;
  size: number;
  deflatedSize: number;
}

const limit32 = 0xffffffff;
const flags = 0x0808; // sizes follow the data, names are UTF-8
const midnight1980 = 0x00210000;

/** Writes a zip archive as a stream. Sizes are not known in advance, so they stand after each file and in the directory. */
export async function* zip(pieces: Source<ZipPiece>): AsyncGenerator<Uint8Array> {
  const entries: ZipEntry[] = [];
  let current: ZipEntry | undefined;
  let offset = 0;
  for await (const piece of deflated(pieces)) {
    if (piece.name !== current?.name) {
      if (current) yield closed(current);
      offset += current ? current.deflatedSize + descriptorSize : 0;
      current = { name: piece.name, offset, crc32: 0, size: 0, deflatedSize: 0 };
      entries.push(current);
      const header = localHeader(piece.name);
      offset += header.length;
      yield header;
    }
    current.crc32 = combineCrc32(current.crc32, piece.crc32, piece.length);
    current.size += piece.length;
    current.deflatedSize += piece.data.length;
    yield piece.data;
  }
  if (current) yield closed(current);
  offset += current ? current.deflatedSize + descriptorSize : 0;
  yield directory(entries, offset);
}

const descriptorSize = 16;

function localHeader(name: string): Buffer {
  const text = Buffer.from(name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(midnight1980, 10);
  header.writeUInt16LE(text.length, 26);
  return Buffer.concat([header, text]);
}

/** The end of a file: last block and descriptor. Spreadsheets refuse ZIP64 here, so a file stays below 4 GiB. */
function closed(entry: ZipEntry): Buffer {
  entry.deflatedSize += finalBlock.length;
  if (entry.size > limit32 || entry.deflatedSize > limit32) throw new RangeError(`${entry.name} is too large for the archive.`);
  const descriptor = Buffer.alloc(descriptorSize);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(entry.crc32, 4);
  descriptor.writeUInt32LE(entry.deflatedSize, 8);
  descriptor.writeUInt32LE(entry.size, 12);
  return Buffer.concat([finalBlock, descriptor]);
}

/** The central directory at `start`; ZIP64 fields appear only for offsets beyond 4 GiB. */
export function directory(entries: readonly ZipEntry[], start: number): Buffer {
  const records = Buffer.concat(entries.map(directoryRecord));
  const isLarge = start + records.length > limit32 || entries.length >= 0xffff;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10);
  end.writeUInt32LE(records.length, 12);
  end.writeUInt32LE(Math.min(start, limit32), 16);
  return Buffer.concat(isLarge ? [records, zip64End(entries.length, records.length, start), end] : [records, end]);
}

function directoryRecord(entry: ZipEntry): Buffer {
  const isFar = entry.offset >= limit32;
  const name = Buffer.from(entry.name);
  const extra = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(entry.offset), 4);
  }
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(isFar ? 45 : 20, 4);
  record.writeUInt16LE(isFar ? 45 : 20, 6);
  record.writeUInt16LE(flags, 8);
  record.writeUInt16LE(8, 10);
  record.writeUInt32LE(midnight1980, 12);
  record.writeUInt32LE(entry.crc32, 16);
  record.writeUInt32LE(entry.deflatedSize, 20);
  record.writeUInt32LE(entry.size, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(isFar ? limit32 : entry.offset, 42);
  return Buffer.concat([record, name, extra]);
}

/** The ZIP64 end of the directory and its locator. */
function zip64End(count: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
