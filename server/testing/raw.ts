import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RawOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Sends a request exactly as written: fetch would normalise the path and refuse some headers. */
export function rawRequest(origin: string, path: string, { method = 'GET', headers = {}, body }: RawOptions = {}): Promise<RawReply> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: answer }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends bytes that need not be HTTP at all; returns everything that came back until the server closed the connection. */
export function rawBytes(origin: string, bytes: string, timeoutMs = 2000): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}
