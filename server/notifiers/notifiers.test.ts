import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createMail } from '../platform/mail.ts';
import { createOutgoingHttp } from '../platform/outgoing.ts';
import { fakeSmtp } from '../testing/smtp.ts';
import { asana } from './asana.ts';
import { chatwork } from './chatwork.ts';
import { datadog } from './datadog.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { hangoutsChat } from './hangouts-chat.ts';
import { hipchat } from './hipchat.ts';
import { notifiers } from './index.ts';
import { mattermost } from './mattermost.ts';
import { microsoftTeamsWebhook } from './microsoft-teams-webhook.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import { sms } from './sms.ts';
import { telegram } from './telegram.ts';
import { aNotice, describeNotifier } from './testing/describe-notifier.ts';
import { webex } from './webex.ts';
import { webhook } from './webhook.ts';

const formOf = (body: string | undefined) => Object.fromEntries(new URLSearchParams(body ?? ''));
const custom = aNotice({ subject: 'Too high', body: 'See <b>this</b>' });

describeNotifier({ notifier: slack, options: (url) => ({ url: `${url}/slack` }) }, (send) => {
  test('server-behaviour 15.3: attachments with text, colour and fields', async () => {
    expect((await send(custom))[0]?.json).toEqual({
      attachments: [
        {
          text: 'Too high',
          color: '#c0392b',
          fields: [
            { title: 'Query', type: 'mrkdwn', value: 'https://console.example/queries/3' },
            { title: 'Alert', type: 'mrkdwn', value: 'https://console.example/alerts/7' },
            { title: 'Description', value: 'See <b>this</b>' },
          ],
        },
      ],
    });
    expect((await send(aNotice({ subject: 'Too high' }, 'ok')))[0]?.json).toMatchObject({
      attachments: [{ text: 'Pressure went back to normal', color: '#27ae60' }],
    });
  });
});

describeNotifier({ notifier: webhook, options: (url) => ({ url: `${url}/hook` }) }, (send) => {
  test('server-behaviour 15.3: the alert in its short form, basic auth and a signature of the body', async () => {
    const [call] = await send(custom, { username: 'u', password: 'p', secret: 's' });
    expect(call?.json).toMatchObject({
      event: 'alert_state_change',
      alert: { id: 7, name: 'Pressure', state: 'triggered', query_id: 3, user_id: 2, title: 'Too high', description: 'See <b>this</b>' },
      url_base: 'https://console.example',
      metadata: {},
    });
    expect(call?.headers.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
    expect(call?.headers['x-telltale-signature']).toBe(
      `sha256=${createHmac('sha256', 's')
        .update(call?.body ?? '')
        .digest('hex')}`,
    );
  });

  test('design 8.1: the delivery of a command', async () => {
    const notice = {
      event: 'command_delivery',
      command: { id: 1, name: 'On' },
      device_id: 'd',
      state: 'acknowledged',
      reason: null,
      at: 'now',
    } as const;
    expect((await send({ ...notice, url: 'https://x.example' }))[0]?.json).toEqual(notice);
  });
});

describeNotifier({ notifier: mattermost, options: (url) => ({ url, channel: 'ops' }) }, (send) => {
  test('server-behaviour 15.3: text and description', async () => {
    expect((await send(aNotice({ body: 'B' })))[0]?.json).toEqual({
      text: '#### Pressure just triggered',
      attachments: [{ fields: [{ title: 'Description', value: 'B' }] }],
      channel: 'ops',
    });
  });
});

describeNotifier(
  { notifier: chatwork, options: (url) => ({ url, api_token: 't', room_id: '12/3' }), says: ({ body }) => formOf(body).body },
  (send) => {
    test('server-behaviour 15.3: a form with the filled template', async () => {
      const [call] = await send(aNotice({ subject: 'S' }));
      expect([call?.path, call?.headers['x-chatworktoken']]).toEqual(['/v2/rooms/12%2F3/messages', 't']);
      expect(formOf(call?.body).body).toBe(
        'S\nPressure changed state to TRIGGERED.\nhttps://console.example/alerts/7\nhttps://console.example/queries/3',
      );
    });
  },
);

describeNotifier({ notifier: pagerduty, options: (url) => ({ url, integration_key: 'k' }) }, (send) => {
  test('server-behaviour 15.3: triggers and resolves, and sends nothing for unknown states', async () => {
    expect((await send(custom))[0]?.json).toEqual({
      routing_key: 'k',
      incident_key: '7_3',
      dedup_key: '7_3',
      payload: { summary: 'Too high', severity: 'error', source: 'telltale', custom_details: 'See <b>this</b>' },
      event_action: 'trigger',
    });
    expect((await send(aNotice({}, 'ok')))[0]?.json).toMatchObject({ event_action: 'resolve', payload: { summary: 'Alert: Pressure' } });
    expect(await send(aNotice({}, 'unknown'))).toEqual([]);
  });

  test.each([
    ['suspended', 'trigger'],
    ['failed', 'trigger'],
    ['succeeded', 'resolve'],
  ])('iot-behaviour 3.7.7: of a command, %s is told as %s', async (state, event_action) => {
    const command = { id: 1, name: 'On' };
    const notice = {
      event: 'command_delivery',
      command,
      device_id: 'd',
      state,
      reason: null,
      at: 'now',
      url: 'https://x.example',
    } as const;
    expect((await send(notice))[0]?.json).toMatchObject({ event_action });
  });
});

describeNotifier({ notifier: hangoutsChat, options: (url) => ({ url }) }, (send) => {
  test('server-behaviour 15.3: a card whose values are no markup', async () => {
    expect((await send(custom))[0]?.json).toMatchObject({
      cards: [
        {
          header: { title: 'Too high' },
          sections: [
            {
              widgets: [
                { textParagraph: { text: expect.stringContaining('Triggered') } },
                { buttons: [{ textButton: { text: 'OPEN QUERY' } }] },
              ],
            },
            { widgets: [{ textParagraph: { text: 'See &lt;b&gt;this&lt;/b&gt;' } }] },
          ],
        },
      ],
    });
  });
});

describeNotifier({ notifier: hipchat, options: (url) => ({ url }) });

describeNotifier(
  {
    notifier: sms,
    options: (url) => ({ url, account_sid: 'AC1', auth_token: 't', from: '+1', to: '+2, +3' }),
    says: ({ body }) => formOf(body).Body,
  },
  (send) => {
    test('one message for each number, as Twilio takes it', async () => {
      const calls = await send(aNotice({ body: 'x'.repeat(5000) }));
      expect(calls.map(({ path, body }) => [path, formOf(body).To, formOf(body).Body?.length])).toEqual([
        ['/2010-04-01/Accounts/AC1/Messages.json', '+2', 1600],
        ['/2010-04-01/Accounts/AC1/Messages.json', '+3', 1600],
      ]);
      expect(calls[0]?.headers.authorization).toBe(`Basic ${Buffer.from('AC1:t').toString('base64')}`);
    });
  },
);

describeNotifier({ notifier: microsoftTeamsWebhook, options: (url) => ({ url }) }, (send) => {
  test('W15: values are put into the template as JSON texts', async () => {
    const name = 'a "quoted" \\ name\n';
    const [call] = await send(aNotice({ alert: { ...aNotice().alert, name } }), {
      message_template: '{"text": "{alert_name}: {alert_url}"}',
    });
    expect(call?.json).toEqual({ text: `${name}: https://console.example/alerts/7` });
    expect(microsoftTeamsWebhook.faultOf({ url: 'https://x.example', message_template: '{' })).toBe('The message template must be JSON.');
  });
});

describeNotifier({ notifier: discord, options: (url) => ({ url }) }, (send) => {
  test('server-behaviour 15.3: content and embeds, and nobody is called by a value', async () => {
    expect((await send(aNotice({ subject: '@everyone' })))[0]?.json).toMatchObject({
      content: '@everyone',
      embeds: [{ color: '12597547', fields: [{ name: 'Query' }, { name: 'Alert' }] }],
      allowed_mentions: { parse: [] },
    });
  });
});

describeNotifier({ notifier: telegram, options: (url) => ({ url, bot_token: 'b:t', chat_id: '9' }) }, (send) => {
  test('text without a parse mode', async () => {
    const [call] = await send(custom);
    expect(call?.path).toBe('/botb:t/sendMessage');
    expect(call?.json).toMatchObject({ chat_id: '9', text: 'Too high\nSee <b>this</b>\nhttps://console.example/alerts/7' });
  });
});

describeNotifier(
  { notifier: asana, options: (url) => ({ url, pat: 't', project_id: '12' }), says: ({ body }) => formOf(body).name },
  (send) => {
    test('server-behaviour 15.3: a task whose name says the state, with links in its notes', async () => {
      const [call] = await send(custom);
      expect([call?.path, call?.headers.authorization]).toEqual(['/api/1.0/tasks', 'Bearer t']);
      expect(formOf(call?.body)).toEqual({
        name: '[Telltale Alert] TRIGGERED: Pressure',
        notes: 'Too high\n\nSee <b>this</b>\n\nQuery: https://console.example/queries/3\nAlert: https://console.example/alerts/7',
        projects: '12',
      });
      expect(formOf((await send(aNotice({}, 'ok')))[0]?.body).name).toBe('[Telltale Alert] RECOVERED: Pressure');
    });
  },
);

describeNotifier({ notifier: datadog, options: (url) => ({ url, api_key: 'k', tags: 'env:test, plant' }) }, (send) => {
  test('server-behaviour 15.3: an event with the key of its alert and its tags', async () => {
    const [call] = await send(custom);
    expect([call?.path, call?.headers['dd-api-key']]).toEqual(['/api/v1/events', 'k']);
    expect(call?.json).toEqual({
      title: 'Too high',
      text: 'See <b>this</b>\nQuery: https://console.example/queries/3\nAlert: https://console.example/alerts/7',
      alert_type: 'error',
      priority: 'normal',
      source_type_name: 'my_apps',
      aggregation_key: 'telltale:https://console.example/alerts/7',
      tags: ['env:test', 'plant', 'telltale', 'query_id:3', 'alert_id:7'],
    });
    expect((await send(aNotice({}, 'ok'), { priority: 'low' }))[0]?.json).toMatchObject({ alert_type: 'success', priority: 'low' });
  });
});

describeNotifier(
  { notifier: webex, options: (url) => ({ url, webex_bot_token: 't', to_person_emails: 'ann@x.example', to_room_ids: 'R1, R2' }) },
  (send) => {
    test('server-behaviour 15.3: one message for each person and room; a table in the text becomes columns', async () => {
      const calls = await send(aNotice({ subject: 'Too high', body: 'Rows: [["a",1],["b",null]] <@all>' }));
      expect(calls.map(({ path, headers }) => [path, headers.authorization])).toEqual(Array(3).fill(['/v1/messages', 'Bearer t']));
      expect(calls.map(({ json }) => json)).toMatchObject([{ toPersonEmail: 'ann@x.example' }, { roomId: 'R1' }, { roomId: 'R2' }]);
      const block = (text: string) => ({ type: 'TextBlock', text });
      expect(calls[1]?.json).toMatchObject({
        markdown: 'Too high\n\nRows: [["a",1],["b",null]] &lt;@all>',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              type: 'AdaptiveCard',
              body: [
                block('Too high'),
                block('Rows:'),
                { type: 'ColumnSet', columns: [{ items: [block('a'), block('b')] }, { items: [block('1'), block('')] }] },
                block('<@all>'),
              ],
              actions: [{ url: 'https://console.example/alerts/7' }, { url: 'https://console.example/queries/3' }],
            },
          },
        ],
      });
    });

    test('brackets that are no table stay in the text, and somebody must be named', async () => {
      const [call] = await send(aNotice({ body: 'see [[this]] page' }));
      expect(JSON.stringify(call?.json)).toContain('"text":"see [[this]] page"');
      expect(webex.faultOf({ webex_bot_token: 't', to_room_ids: ' , ' })).toBe('At least one person or room is needed.');
    });
  },
);

describe('Email (email)', async () => {
  const smtp = await fakeSmtp();
  const env = {
    http: createOutgoingHttp({ allowPrivate: [] }),
    mail: createMail(smtp.url, undefined),
    key: 'k-1',
    reached: new Set<string>(),
    reach: async () => {},
    signal: AbortSignal.timeout(20_000),
  };

  test('server-behaviour 15.3: the default page with the result table, to every address, with a Message-ID of its key', async () => {
    const table = { columns: ['bar', '<i>'], rows: [['50', '<script>']], isCut: true };
    await email.send({ addresses: 'a@x.example, b@x.example' }, aNotice({ table }), env);
    const [letter] = await smtp.lettersTo('b@x.example');
    expect(letter).toMatchObject({ subject: 'Alert: Pressure changed status to TRIGGERED', to: ['a@x.example', 'b@x.example'] });
    expect(letter?.headers.get('message-id')).toBe('<k-1@telltale>');
    expect(letter?.html).toContain('&lt;script&gt;');
    expect(letter?.html).toContain('Only the first 1 rows are shown.');
    expect(letter?.text).toContain('https://console.example/alerts/7');
  });

  test('a server that refuses for now is asked again, one that is not set up is not', async () => {
    smtp.refuseNext(1);
    await expect(email.send({ addresses: 'c@x.example' }, aNotice(), env)).rejects.toMatchObject({ isFinal: false });
    await expect(
      email.send({ addresses: 'c@x.example' }, aNotice(), { ...env, mail: createMail(undefined, undefined) }),
    ).rejects.toMatchObject({
      isFinal: true,
    });
  });

  test('addresses are checked', () => {
    expect(email.faultOf({ addresses: 'a@x.example, nobody' })).toBe('nobody is not an e-mail address.');
    expect(email.faultOf({ addresses: ',' })).toContain('Between 1 and 100');
  });
});

test('A2 and server-behaviour 15.2: the kinds of the documents are there, and each has an icon', () => {
  const types = notifiers.map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining([
      'asana',
      'datadog',
      'webex',
      'chatwork',
      'email',
      'hangouts_chat',
      'hipchat',
      'mattermost',
      'pagerduty',
      'slack',
      'sms',
      'webhook',
    ]),
  );
  expect(notifiers.every(({ icon }) => icon !== '')).toBe(true);
});
