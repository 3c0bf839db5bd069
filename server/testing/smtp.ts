import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll } from 'vitest';
import { until } from './until.ts';

interface ReceivedLetter {
  to: string[];
  headers: Map<string, string>;
  subject: string;
  text: string;
  html: string;
}

export interface FakeSmtp {
  url: string;
  letters: ReceivedLetter[];
  /** Refuses the next letters temporarily, like a busy server. */
  refuseNext(count: number): void;
  refused: number;
  /** Takes the next letter and answers, line by line as a slow server does, until it is released. */
  holdNext(): { arrived: Promise<void>; release(): void };
  /** The letters to an address, as soon as there are this many. */
  lettersTo(address: string, count?: number): Promise<ReceivedLetter[]>;
}

/** A stand-in for the mail server: a real SMTP server that records its letters. */
export async function fakeSmtp(): Promise<FakeSmtp> {
  const letters: ReceivedLetter[] = [];
  let refusals = 0;
  let hold: { arrived(): void; released: Promise<void> } | undefined;
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      void buffer(stream).then((raw) => {
        if (refusals > 0) {
          refusals--;
          fake.refused++;
          return done(Object.assign(new Error('Come back later'), { responseCode: 451 }));
        }
        letters.push(
          readLetter(
            raw.toString('latin1'),
            session.envelope.rcptTo.map((to) => to.address),
          ),
        );
        if (!hold) return done();
        // A reply of several lines ends with the first one without a dash.
        const lines = setInterval(() => sockets.forEach((socket) => void socket.write('250-Please wait\r\n')), 1000);
        hold.arrived();
        void hold.released.then(() => {
          clearInterval(lines);
          done();
        });
        hold = undefined;
      });
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const fake: FakeSmtp = {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    refused: 0,
    refuseNext(count) {
      refusals = count;
    },
    holdNext() {
      const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      hold = { arrived: arrived.resolve, released: released.promise };
      return { arrived: arrived.promise, release: released.resolve };
    },
    async lettersTo(to, count = 1) {
      const found = () => letters.filter((letter) => letter.to.includes(to));
      const arrived = await until(found, ({ length }) => length >= count);
      if (arrived.length < count) throw new Error(`${arrived.length} of ${count} letters to ${to} arrived.`);
      return arrived;
    },
  };
  return fake;
}

/** Just enough MIME for what a mailer writes: folded headers, one multipart level, quoted-printable and base64. */
function readLetter(raw: string, to: string[]): ReceivedLetter {
  const [headers, body] = readPart(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '')?.[1];
  const parts = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => readPart(part.replace(/^\r?\n/, '')))
    : [[headers, body] as const];
  const partOf = (type: string) => {
    const [own, text] = parts.find(([part]) => part.get('content-type')?.startsWith(type)) ?? [];
    return own && text !== undefined ? decode(text, own.get('content-transfer-encoding') ?? '') : '';
  };
  const subject = (headers.get('subject') ?? '').replace(/=\?utf-8\?([bq])\?([^?]*)\?=\s*/gi, (_, kind: string, text: string) =>
    decode(kind.toLowerCase() === 'b' ? text : text.replaceAll('_', ' '), kind.toLowerCase() === 'b' ? 'base64' : 'quoted-printable'),
  );
  return { to, headers, subject, text: partOf('text/plain'), html: partOf('text/html') };
}

function readPart(raw: string): [Map<string, string>, string] {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const),
  );
  return [headers, rest.join('\r\n\r\n')];
}

function decode(text: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return Buffer.from(text, 'latin1').toString('utf8');
  const bytes = text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
