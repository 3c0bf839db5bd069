import type { Duplex } from 'node:stream';
import { free } from '../../wire/byte-sink.ts';
import { QueryError } from '../connector.ts';

/** An error reported by the server; `position` counts characters of the sent text from 1. */
export class ServerFault extends Error {
  override name = 'ServerFault';
  readonly code: string;
  readonly position: number | undefined;

  constructor(fields: Map<string, string>) {
    const hint = fields.get('H');
    const detail = fields.get('D');
    super(
      [fields.get('M') ?? 'The database refused this.', detail && `DETAIL: ${detail}`, hint && `HINT: ${hint}`].filter(Boolean).join('\n'),
    );
    this.code = fields.get('C') ?? '';
    this.position = fields.has('P') ? Number(fields.get('P')) : undefined;
  }
}

export interface Field {
  name: string;
  oid: number;
}

/** Callbacks of an exchange; copied bytes arrive in arbitrary pieces, so that no cell has to fit in memory. */
export interface Listener {
  fields?(fields: Field[]): void;
  row?(values: (string | null)[]): boolean;
  copied?(bytes: Buffer, start: number, end: number): boolean;
  /** Handles as many whole messages of copied bytes from `at` on as it can; returns where it stopped. */
  copiedMessages?(bytes: Buffer, at: number): { at: number; hasRoom: boolean };
  copyDone?(): void;
  ready?(): Promise<void>;
}

/** Messages other than copied rows are small; a larger one contains a cell that no console can show. */
const largestMessage = 16 * 1024 * 1024;
const headerLength = 5;
const copyData = 0x64;
const nothing = Buffer.alloc(0);

export const messages = {
  query: (text: string) => message('Q', cString(text)),
  describe: (text: string) =>
    Buffer.concat([
      message('P', Buffer.concat([cString(''), cString(text), Buffer.alloc(2)])),
      message('D', Buffer.concat([Buffer.from('S'), cString('')])),
      message('S', Buffer.alloc(0)),
    ]),
  copyFail: () => message('f', cString('rows cannot be copied in from here')),
};

const cString = (text: string) => Buffer.from(`${text}\0`);

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(headerLength);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/**
 * Runs one exchange on an idle connection, or several together, which saves round trips: sends the request and listens until the server is
 * ready again. It implements the protocol itself, because the driver creates an object per row, which costs more than the rest of the
 * query.
 */
export function talk(stream: Duplex, request: Buffer, listener: Listener, exchanges = 1): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest: Buffer = nothing;
    let copyLeft = 0;
    let fault: Error | undefined;
    let isReady = 0;
    const drivers = stream.listeners('data') as ((chunk: Buffer) => void)[];

    const leave = () => {
      stream.off('data', onData).off('close', onClose).off('error', onClose);
      for (const driver of drivers) stream.on('data', driver);
    };
    const onClose = () => {
      leave();
      reject(fault ?? new QueryError('The connection to the database was lost.'));
    };
    const giveUp = (error: unknown) => {
      fault = error instanceof Error ? error : new Error(String(error));
      leave();
      stream.destroy();
      reject(fault);
    };
    const slowDown = (hasRoom: boolean) => {
      if (hasRoom || !listener.ready) return;
      stream.pause();
      listener.ready().then(() => stream.resume(), giveUp);
    };

    const onMessage = (type: string, body: Buffer): boolean => {
      if (type === 'T') listener.fields?.(readFields(body));
      else if (type === 'n') listener.fields?.([]);
      else if (type === 'D') slowDown(listener.row?.(readRow(body)) ?? true);
      else if (type === 'c') listener.copyDone?.();
      else if (type === 'G') stream.write(messages.copyFail());
      else if (type === 'E') fault ??= new ServerFault(readFault(body));
      else if (type === 'Z' && ++isReady === exchanges) {
        leave();
        if (fault) reject(fault);
        else resolve();
        return true;
      }
      return false;
    };

    const onData = (chunk: Buffer) => {
      try {
        const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
        let at = 0;
        let hasRoom = true;
        while (at < bytes.length) {
          if (copyLeft > 0) {
            const end = Math.min(bytes.length, at + copyLeft);
            if (listener.copied?.(bytes, at, end) === false) hasRoom = false;
            copyLeft -= end - at;
            at = end;
            continue;
          }
          if (bytes.length - at < headerLength) break;
          const length =
            (((bytes[at + 1] as number) << 24) |
              ((bytes[at + 2] as number) << 16) |
              ((bytes[at + 3] as number) << 8) |
              (bytes[at + 4] as number)) -
            4;
          if (bytes[at] === copyData) {
            const taken = listener.copiedMessages?.(bytes, at);
            if (taken && taken.at > at) {
              if (!taken.hasRoom) hasRoom = false;
              at = taken.at;
              continue;
            }
            copyLeft = length;
            at += headerLength;
            continue;
          }
          const type = String.fromCharCode(bytes[at] ?? 0);
          if (length > largestMessage) throw new Error('A value of the result is too large to be read.');
          if (bytes.length - at < headerLength + length) break;
          const body = bytes.subarray(at + headerLength, at + headerLength + length);
          at += headerLength + length;
          if (onMessage(type, body)) return;
        }
        rest = at < bytes.length ? Buffer.from(bytes.subarray(at)) : nothing;
        // Only whole buffers are freed: an encrypted connection may cut several chunks from one buffer.
        if (chunk.length === chunk.buffer.byteLength) free(chunk);
        slowDown(hasRoom);
      } catch (error) {
        giveUp(error);
      }
    };

    for (const driver of drivers) stream.off('data', driver);
    stream.on('data', onData).on('close', onClose).on('error', onClose);
    if (stream.destroyed) onClose();
    else stream.write(request);
  });
}

function readFields(body: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 2;
  for (let i = 0; i < body.readInt16BE(0); i++) {
    const end = body.indexOf(0, at);
    fields.push({ name: body.toString('utf8', at, end), oid: body.readUInt32BE(end + 7) });
    at = end + 19;
  }
  return fields;
}

function readRow(body: Buffer): (string | null)[] {
  const values: (string | null)[] = [];
  let at = 2;
  for (let i = 0; i < body.readInt16BE(0); i++) {
    const length = body.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : body.toString('utf8', at, at + length));
    at += Math.max(0, length);
  }
  return values;
}

function readFault(body: Buffer): Map<string, string> {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < body.length && body[at] !== 0) {
    const end = body.indexOf(0, at + 1);
    fields.set(String.fromCharCode(body[at] ?? 0), body.toString('utf8', at + 1, end));
    at = end + 1;
  }
  return fields;
}
