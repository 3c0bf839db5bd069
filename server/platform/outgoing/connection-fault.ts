import type { OutgoingFault } from './error.ts';

export interface ConnectionFault {
  fault: OutgoingFault;
  message: string;
}

const refused = new Set(['ECONNREFUSED']);
const unknown = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const late = new Set(['ETIMEDOUT']);
const closed = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'PROTOCOL_CONNECTION_LOST']);
const away = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']);
const certificate = /^(?:ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_SSL_|HOSTNAME_MISMATCH|INVALID_CA|HANDSHAKE_SSL_ERROR)/;
/** Texts of PostgreSQL driver errors that have no code. */
const [lateText, closedText] = [/^timeout expired$/, /^Connection terminated/];

/**
 * The reason why a connection failed, in our words and with the name that was typed, never with its IP address, for any socket or driver.
 * Undefined for other faults, such as a wrong password.
 */
export function connectionFault(error: unknown, side: string): ConnectionFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message } = error as NodeJS.ErrnoException;
  const given = typeof code === 'string' ? code : '';
  if (refused.has(given)) return { fault: 'unreachable', message: `${side} refused the connection.` };
  if (unknown.has(given)) return { fault: 'unreachable', message: `The host ${side.replace(/:\d+$/, '')} was not found.` };
  if (late.has(given) || lateText.test(message)) return { fault: 'timeout', message: `${side} did not answer in time.` };
  if (closed.has(given) || closedText.test(message)) return { fault: 'lost', message: `${side} closed the connection without an answer.` };
  if (away.has(given)) return { fault: 'unreachable', message: `${side} could not be reached.` };
  if (certificate.test(given)) return { fault: 'unreachable', message: `No safe connection to ${side}: ${reasonOf(message)}.` };
  return undefined;
}

/** OpenSSL's message without its file names and numbers, and without Node's advice for operators. */
const reasonOf = (message: string) =>
  (/:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message.split('\n')[0] ?? '').replace(
    /; if the root CA is installed locally.*$|\.$/,
    '',
  );
