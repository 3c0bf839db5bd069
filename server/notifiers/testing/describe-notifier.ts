import { typeSchemaOf } from '@telltale/domain/forms/fields.ts';
import { describe, expect, test } from 'vitest';
import { createMail, type MailOutbox } from '../../platform/mail.ts';
import { createOutgoingHttp } from '../../platform/outgoing.ts';
import { type HookServer, hookServer, type ReceivedCall } from '../../testing/hook-server.ts';
import type { AlertNotice, CommandNotice, Notice } from '../notice.ts';
import type { Notifier } from '../notifier.ts';

const tricky = '"quoted" <b>bold</b> \\ {alert_name}\nnew line';

export const aNotice = (more: Partial<AlertNotice> = {}, state: AlertNotice['alert']['state'] = 'triggered'): AlertNotice => ({
  event: 'alert_state_change',
  subject: null,
  body: null,
  html: null,
  alert: {
    id: 7,
    name: 'Pressure',
    options: { column: 'bar', op: '>', value: 10 },
    state,
    last_triggered_at: '2026-11-16T10:00:00Z',
    updated_at: '2026-11-16T10:00:00Z',
    created_at: '2026-11-01T10:00:00Z',
    rearm: null,
    query_id: 3,
    user_id: 2,
  },
  value: '50',
  condition: '>',
  threshold: 10,
  host: 'https://console.example',
  alert_url: 'https://console.example/alerts/7',
  query: { id: 3, name: 'Plant', url: 'https://console.example/queries/3' },
  device: null,
  table: null,
  metadata: {},
  ...more,
});
const aCommand: CommandNotice = {
  event: 'command_delivery',
  command: { id: 4, name: 'Lamp on' },
  device_id: 'lamp-1',
  state: 'failed',
  reason: 'no_answer',
  at: '2026-11-16T10:00:00Z',
  url: 'https://console.example/commands/4',
};

export interface NotifierCase {
  notifier: Notifier;
  /** Options that reach the server at this address. */
  options(url: string): Record<string, unknown>;
  /** The message within a call: its JSON, or a field of its form. */
  says?(call: ReceivedCall): unknown;
}

const env = (mail: MailOutbox = createMail(undefined, undefined)) => ({
  http: createOutgoingHttp({ allowPrivate: ['*'] }),
  mail,
  key: 'alert-7-evaluation-1-destination-1',
  reached: new Set<string>(),
  reach: async () => {},
  signal: AbortSignal.timeout(20_000),
});

/** Tests that every notifier which sends by HTTP must pass. */
export function describeNotifier(
  { notifier, options, says = (call) => call.json ?? call.body }: NotifierCase,
  more?: (send: Sender) => void,
): void {
  describe(`${notifier.name} (${notifier.type})`, async () => {
    const server: HookServer = await hookServer();
    const send: Sender = async (notice, changes = {}) => {
      const before = server.calls.length;
      await notifier.send({ ...options(server.url), ...changes }, notice, env());
      return server.calls.slice(before);
    };

    test.each<[string, Notice]>([
      ['triggered', aNotice()],
      ['ok', aNotice({}, 'ok')],
      ['with a template', aNotice({ subject: tricky, body: tricky })],
      ['of a device', aNotice({ query: null, device: { channel_id: 'c', device_id: 'd', device_name: tricky } })],
      ['of a command', aCommand],
      ['a test', { event: 'test', message: tricky, url: 'https://console.example/destinations' }],
    ])('sends a notice %s with its key', async (_, notice) => {
      const calls = await send(notice);
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) {
        expect(call.headers['x-telltale-delivery']).toBe('alert-7-evaluation-1-destination-1');
        expect(says(call)).toBeTruthy();
      }
    });

    test('design 8.1: 4xx is final but for 408 and 429, everything else is tried again', async () => {
      for (const [status, isFinal] of [
        [400, true],
        [404, true],
        [408, false],
        [429, false],
        [500, false],
        [503, false],
        [302, true],
      ] as const) {
        server.answers.push(status);
        await expect(send(aNotice())).rejects.toMatchObject({ name: 'NotifierError', isFinal });
      }
      expect(await send(aNotice())).not.toEqual([]);
    });

    test('security 9: private addresses are refused unless they are allowed', async () => {
      const closed = { ...env(), http: createOutgoingHttp({ allowPrivate: [] }) };
      await expect(notifier.send(options(server.url), aNotice(), closed)).rejects.toMatchObject({
        name: 'OutgoingError',
        fault: 'refused',
      });
    });

    test('security 8: options that it does not know are refused; its secrets are declared', () => {
      expect(notifier.options.safeParse({ ...options('https://x.example'), proxy: 'x' }).success).toBe(false);
      const schema = typeSchemaOf(notifier.options);
      for (const name of Object.keys(schema.properties)) if (/token|password|key$|secret/.test(name)) expect(schema.secret).toContain(name);
      expect(notifier.faultOf({ ...options('file:///etc/passwd') })).toBe('The address must begin with http:// or https://.');
    });
    more?.(send);
  });
}

export type Sender = (notice: Notice, changes?: Record<string, unknown>) => Promise<ReceivedCall[]>;
