import { expect, test } from 'vitest';
import { connectionFault } from './connection-fault.ts';

const withCode = (code: string, message = `connect ${code} 192.0.2.7:5432`) => Object.assign(new Error(message), { code });
const told = (error: unknown) => connectionFault(error, 'db.example:5432')?.message;

test.each([
  ['ECONNREFUSED', 'db.example:5432 refused the connection.'],
  ['ENOTFOUND', 'The host db.example was not found.'],
  ['EAI_AGAIN', 'The host db.example was not found.'],
  ['ETIMEDOUT', 'db.example:5432 did not answer in time.'],
  ['EHOSTUNREACH', 'db.example:5432 could not be reached.'],
  ['ENETUNREACH', 'db.example:5432 could not be reached.'],
  ['ECONNRESET', 'db.example:5432 closed the connection without an answer.'],
  ['PROTOCOL_CONNECTION_LOST', 'db.example:5432 closed the connection without an answer.'],
])('%s is told in our words, without the address a name stood for', (code, message) => {
  expect(told(withCode(code))).toBe(message);
  // After several addresses were tried, the error has the code of the first and no message.
  expect(told(Object.assign(new AggregateError([withCode(code)], ''), { code }))).toBe(message);
});

test('a driver that names no code is understood by its words', () => {
  expect(told(new Error('timeout expired'))).toBe('db.example:5432 did not answer in time.');
  expect(told(new Error('Connection terminated unexpectedly'))).toBe('db.example:5432 closed the connection without an answer.');
});

test('a certificate fault is reported with its reason', () => {
  const message = 'No safe connection to db.example:5432: self-signed certificate.';
  expect(told(withCode('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'))).toBe(message);
  expect(told(withCode('HANDSHAKE_SSL_ERROR', 'self-signed certificate'))).toBe(message);
});

test('what the server itself says is no fault of the way to it', () => {
  expect(told(withCode('28P01', 'password authentication failed for user "x"'))).toBeUndefined();
  expect(told(withCode('HANDSHAKE_NO_SSL_SUPPORT', 'Server does not support secure connection'))).toBeUndefined();
  expect(told(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))).toBeUndefined();
  expect(told('ECONNREFUSED')).toBeUndefined();
});
