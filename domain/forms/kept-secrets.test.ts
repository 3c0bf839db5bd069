import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { flag, optionalText, port, secret, text } from './fields.ts';
import { withKeptSecrets } from './kept-secrets.ts';
import { secretMask } from './type-schema.ts';

const fields = z.strictObject({
  host: optionalText('Host', { default: '127.0.0.1' }),
  port: port('Port', 5432),
  tls: flag('TLS', true),
  user: optionalText('User'),
  region: optionalText('Region', { address: true }),
  password: secret('Password'),
  token: secret('Token'),
});
const stored = { host: 'a.example.com', user: 'ann', password: 'p', token: 't' };
const kept = { ...stored, password: secretMask, token: secretMask };

describe('design 8: dashes keep a stored secret', () => {
  test('at the same address, whatever else changes', () => {
    expect(withKeptSecrets(fields, { ...kept, user: 'ben', port: '5432', tls: null }, stored)).toEqual({
      options: { ...stored, user: 'ben', port: '5432' },
    });
  });

  test.each([
    [{ host: 'b.example.com' }, 'Host'],
    [{ host: '' }, 'Host'],
    [{ port: 5433 }, 'Port'],
    [{ tls: false }, 'TLS'],
    [{ region: 'eu' }, 'Region'],
  ])('not for another one: %j', (change, title) => {
    expect(withKeptSecrets(fields, { ...kept, ...change }, stored)).toEqual({
      error: `${title} was changed. Enter Password, Token again: a stored secret is sent only to the address it was saved for.`,
    });
  });

  test('those that are typed again, left out or were never stored may go anywhere', () => {
    const moved = { host: 'b.example.com' };
    expect(withKeptSecrets(fields, { ...moved, password: 'new' }, stored)).toEqual({ options: { ...moved, password: 'new' } });
    expect(withKeptSecrets(fields, { ...moved, password: secretMask })).toEqual({ options: moved });
    expect(withKeptSecrets(fields, { ...moved, password: 'new', token: secretMask }, stored)).toHaveProperty('error');
  });

  test('an address that is a secret itself is kept or replaced, and a replaced one takes no other secret along', () => {
    const hook = z.strictObject({ url: secret('Webhook URL'), key: secret('Key'), note: text('Note') });
    const before = { url: 'https://a.example.com', key: 'k', note: 'n' };
    expect(withKeptSecrets(hook, { url: secretMask, key: secretMask, note: 'm' }, before)).toEqual({ options: { ...before, note: 'm' } });
    expect(withKeptSecrets(hook, { url: 'https://b.example.com', key: secretMask, note: 'n' }, before)).toHaveProperty('error');
  });
});
