import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Notice } from '../notifiers/notice.ts';
import { cancelJob } from '../platform/jobs/queue.ts';
import { hookServer } from '../testing/hook-server.ts';
import { fakeSmtp } from '../testing/smtp.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { enqueueNotice, sweepNotices } from './deliveries.ts';

const hook = await hookServer();
const smtp = await fakeSmtp();
const app = await testApp({ env: { TELLTALE_ALLOW_PRIVATE: '127.0.0.1', SMTP_URL: smtp.url } });
await app.startWorker();
const admin = app.as(app.admin);
const user = app.as(await app.make.user());
beforeEach(() => {
  hook.answers.length = 0;
});

let count = 0;
const make = (options: object = {}, type = 'webhook') =>
  admin.get(destinationsApi.create, { body: { name: `Target ${++count}`, type, options: { url: `${hook.url}/${count}`, ...options } } });
const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) as unknown;
const notice: Notice = { event: 'test', message: 'Hello', url: 'https://console.example' };

describe('A2, A6: destinations', () => {
  test('everybody sees names and kinds; settings are for administrators', async () => {
    const made = await make();
    const [listed] = (await user.get(destinationsApi.list)) as object[];
    expect(listed).toEqual({ id: made.id, name: made.name, type: 'webhook', icon: 'fa-bolt' });
    for (const call of [
      user.call(destinationsApi.types),
      user.call(destinationsApi.get, { params: { id: made.id } }),
      user.call(destinationsApi.create, { body: { name: 'x', type: 'webhook', options: {} } }),
      user.call(destinationsApi.save, { params: { id: made.id }, body: { name: 'x', type: 'webhook', options: {} } }),
      user.call(destinationsApi.remove, { params: { id: made.id } }),
      user.call(destinationsApi.test, { params: { id: made.id } }),
      user.call(destinationsApi.deliveries, { params: { id: made.id } }),
    ])
      expect((await call).status).toBe(403);
    expect((await app.anonymous().call(destinationsApi.list)).status).toBe(404);
  });

  test('A9: the list begins with the newest', async () => {
    const made = [(await make()).id, (await make()).id];
    expect(((await user.get(destinationsApi.list)) as { id: number }[]).slice(0, 2).map(({ id }) => id)).toEqual(made.toReversed());
  });

  test('types carry their schema: required, secret, order', async () => {
    const types = await admin.get(destinationsApi.types);
    expect(types.find(({ type }) => type === 'webhook')).toMatchObject({
      name: 'Webhook',
      icon: 'fa-bolt',
      configuration_schema: { required: ['url'], secret: ['url', 'password', 'secret'], order: ['url', 'username', 'password', 'secret'] },
    });
    expect(types.find(({ type }) => type === 'hipchat')?.deprecated).toBe(true);
  });

  test.each([
    ['webex', { webex_bot_token: 't', to_room_ids: 'R1' }, 'webex_bot_token', '/v1/messages'],
    ['asana', { pat: 't', project_id: '12' }, 'pat', '/api/1.0/tasks'],
    ['datadog', { api_key: 't' }, 'api_key', '/api/v1/events'],
  ])('server-behaviour 15.2: %s is saved with its secret sealed, and reached by a test', async (type, options, secret, path) => {
    const made = await make({ ...options, url: hook.url }, type);
    expect(made).toMatchObject({ type, icon: `fa-${type}`, options: { [secret]: '--------' } });
    expect(await admin.get(destinationsApi.test, { params: { id: made.id } })).toEqual({ ok: true, message: 'success' });
    expect(hook.calls.at(-1)?.path).toBe(path);
  });

  test('secrets read back as dashes and are kept when that is saved', async () => {
    const made = await make({ username: 'u', password: 'p' });
    expect(made.options).toEqual({ url: '--------', username: 'u', password: '--------' });
    const saved = await admin.get(destinationsApi.save, {
      params: { id: made.id },
      body: { name: made.name, type: 'webhook', options: { ...made.options, username: 'v', secret: null } },
    });
    expect(saved.options).toEqual({ url: '--------', username: 'v', password: '--------' });
    expect(await admin.get(destinationsApi.test, { params: { id: made.id } })).toEqual({ ok: true, message: 'success' });
    expect(hook.calls.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from('v:p').toString('base64')}`);
    const { rows } = await sql<{
      text: string;
    }>`select encode(options_sealed, 'escape') as text from destinations where id = ${made.id}`.execute(app.ctx.db);
    expect(rows[0]?.text).not.toContain('"p"');
  });

  test('a kept secret goes to no other address than the one it was saved for', async () => {
    const made = await make({ username: 'u', password: 'p' });
    const options = { url: 'https://elsewhere.example/', username: 'u', password: '--------' };
    const saved = await admin.call(destinationsApi.save, { params: { id: made.id }, body: { name: made.name, type: 'webhook', options } });
    expect([saved.status, saved.message]).toEqual([
      400,
      'Enter Password again: a stored secret is sent only to the address it was saved for.',
    ]);
    expect((await admin.call(destinationsApi.testUnsaved, { body: { type: 'webhook', options, id: made.id } })).status).toBe(400);
    const slack = await make({}, 'slack');
    const other = await admin.call(destinationsApi.save, {
      params: { id: slack.id },
      body: { name: slack.name, type: 'webhook', options: { url: '--------' } },
    });
    expect(other.message).toBe('Webhook URL is required.');
  });

  test.each([
    [{ name: 'x', type: 'pigeon', options: {} }, 'There is no destination type pigeon.'],
    [{ name: 'x', type: 'webhook', options: {} }, 'Webhook URL is required.'],
    [{ name: 'x', type: 'webhook', options: { url: 'ftp://x' } }, 'The address must begin with http:// or https://.'],
    [{ name: 'x', type: 'webhook', options: { url: 'https://x.example', proxy: 'y' } }, undefined],
    [{ name: 'x', type: 'email', options: { addresses: 'nobody' } }, 'nobody is not an e-mail address.'],
    [{ name: ' ', type: 'webhook', options: { url: 'https://x.example' } }, 'Name is required.'],
    [{ name: 'x', type: 'slack', options: { url: deep } }, 'The options are nested too deeply.'],
    [{ name: 'x', type: 'webhook' }, undefined],
    [{ type: 'webhook', options: { url: 'https://x.example' } }, 'Name is required.'],
    [{ name: 'x', options: { url: 'https://x.example' } }, 'Type is required.'],
  ])('%j is refused', async (body, message) => {
    const reply = await admin.call(destinationsApi.create, { body: body as never });
    expect(reply.status).toBe(400);
    if (message) expect(reply.message).toBe(message);
  });

  test('server-behaviour 15.1: a name is taken once', async () => {
    const [one, two] = [await make(), await make()];
    const body = { name: one.name.toUpperCase(), type: 'webhook', options: { url: 'https://x.example' } };
    expect((await admin.call(destinationsApi.create, { body })).message).toBe(
      `Alert Destination with the name ${body.name} already exists.`,
    );
    expect((await admin.call(destinationsApi.save, { params: { id: two.id }, body })).status).toBe(400);
    expect((await admin.call(destinationsApi.save, { params: { id: one.id }, body })).status).toBe(200);
  });

  test('security 9: a test of a private address that is not allowed fails without being sent', async () => {
    const body = { type: 'webhook', options: { url: 'http://169.254.169.254/latest/meta-data' } };
    expect(await admin.get(destinationsApi.testUnsaved, { body })).toMatchObject({ ok: false });
    expect(
      await admin.get(destinationsApi.testUnsaved, { body: { type: 'webhook', options: { url: `${hook.url}/unsaved` } } }),
    ).toMatchObject({ ok: true });
    expect(await hook.callsTo('/unsaved')).toHaveLength(1);
  });

  test('W31: a destination in use is deleted with its subscriptions', async () => {
    const made = await make();
    const source = await app.make.dataSource();
    const query = await app.make.query({ data_source_id: source.id, user_id: app.admin.id });
    const alert = await admin.get(alertsApi.create, { body: { name: 'A', query_id: query.id, options: { column: 'v' } } });
    await admin.get(alertsApi.subscribe, { params: { id: alert.id }, body: { destination_id: made.id } });
    expect((await admin.call(destinationsApi.remove, { params: { id: made.id } })).status).toBe(204);
    expect(await admin.get(alertsApi.subscriptions, { params: { id: alert.id } })).toEqual([]);
    expect((await admin.call(destinationsApi.remove, { params: { id: made.id } })).status).toBe(404);
  });
});

describe('W22: notices', () => {
  const deliveries = async (id: number) => (await admin.get(destinationsApi.deliveries, { params: { id } })).results;
  const enqueue = (id: number, about: string) =>
    app.ctx.transaction((tx) => enqueueNotice(tx, [{ destination_id: id, name: 'Target' }], { about, notice }));

  test('the same notice is sent once, however often it is asked for', async () => {
    const made = await make();
    expect([await enqueue(made.id, 'thing 1'), await enqueue(made.id, 'thing 1')]).toEqual([1, 0]);
    await until(
      () => deliveries(made.id),
      ([one]) => one?.status === 'sent',
    );
    expect(await hook.callsTo(`/${count}`)).toHaveLength(1);
  });

  test('a notice whose transaction is undone is not sent', async () => {
    const made = await make();
    await expect(
      app.ctx.transaction(async (tx) => {
        await enqueueNotice(tx, [{ destination_id: made.id, name: 'Target' }], { about: 'undone', notice });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await deliveries(made.id)).toEqual([]);
  });

  test('design 8.1: a server that fails is tried again with the same key, after 5 s, 30 s, 2 min …', async () => {
    const made = await make();
    hook.answers.push(500, 503);
    await enqueue(made.id, 'retry 1');
    const [waiting] = await until(
      () => deliveries(made.id),
      ([one]) => one?.attempts === 1,
    );
    expect(waiting).toMatchObject({ status: 'waiting', last_error: expect.stringContaining('status 500') });
    expect(Date.parse(waiting?.next_attempt_at ?? '') - Date.parse(waiting?.created_at ?? '')).toBeGreaterThan(4500);
    const hurry = () => sql`update jobs set run_at = now() where run_at > now()`.execute(app.ctx.db);
    await hurry();
    await until(
      () => hurry().then(() => deliveries(made.id)),
      ([one]) => one?.attempts === 2,
    );
    const [sent] = await until(
      () => hurry().then(() => deliveries(made.id)),
      ([one]) => one?.status === 'sent',
    );
    expect(sent).toMatchObject({ attempts: 3, status: 'sent', next_attempt_at: null });
    const keys = (await hook.callsTo(`/${count}`, 3)).map(({ headers }) => headers['x-telltale-delivery']);
    expect(new Set(keys)).toEqual(new Set([`retry-1-destination-${made.id}`]));
  });

  test('SMS to several numbers: an attempt after a failure goes only to those that were not reached', async () => {
    const options = { url: hook.url, account_sid: 'AC1', auth_token: 't', from: '+1', to: '+2, +3, +4' };
    const made = await admin.get(destinationsApi.create, { body: { name: 'Three phones', type: 'sms', options } });
    hook.answers.push(200, 503, 200);
    await enqueue(made.id, 'sms');
    const [waiting] = await until(
      () => deliveries(made.id),
      ([one]) => one?.attempts === 1,
    );
    expect(waiting).toMatchObject({ status: 'waiting', last_error: expect.stringMatching(/^Not sent to \+3: .*status 503/) });
    const hurry = () => sql`update jobs set run_at = now() where run_at > now()`.execute(app.ctx.db);
    const [sent] = await until(
      () => hurry().then(() => deliveries(made.id)),
      ([one]) => one?.status === 'sent',
    );
    expect(sent?.attempts).toBe(2);
    const numbers = (await hook.callsTo('/2010-04-01/Accounts/AC1/Messages.json', 4)).map(({ body }) =>
      new URLSearchParams(body).get('To'),
    );
    expect(numbers).toEqual(['+2', '+3', '+4', '+3']);
  });

  test('a mail that is accepted after its job was stopped counts as sent, and is not sent again', async () => {
    const address = 'slow@x.example';
    const options = { addresses: address };
    const made = await admin.get(destinationsApi.create, { body: { name: 'Slow mail', type: 'email', options } });
    const held = smtp.holdNext();
    await enqueue(made.id, 'slow');
    await held.arrived;
    const jobs = async () =>
      (
        await sql<{ id: string; status: number }>`
          select id, status from jobs where name = 'notices.send' and payload ->> 'target' = ${`destination ${made.id}`}`.execute(
          app.ctx.db,
        )
      ).rows;
    // Stopped as by the time limit.
    for (const { id } of await jobs()) await cancelJob(app.ctx.db, id);
    await expect.poll(async () => (await jobs()).map(({ status }) => status)).toEqual([4]);
    await sql`update notice_deliveries set next_attempt_at = now() - interval '1 minute' where destination_id = ${made.id}`.execute(
      app.ctx.db,
    );
    const isHeld = sql<{ is_held: boolean }>`
      select next_attempt_at > now() - interval '8 seconds' as is_held from notice_deliveries where destination_id = ${made.id}`;
    await expect.poll(async () => (await isHeld.execute(app.ctx.db)).rows).toEqual([{ is_held: true }]);
    await sweepNotices(app.ctx);
    expect(await jobs()).toHaveLength(1);
    held.release();
    await expect.poll(() => deliveries(made.id)).toMatchObject([{ status: 'sent', attempts: 1 }]);
    expect(await smtp.lettersTo(address)).toHaveLength(1);
  });

  test('design 8.1: a server that refuses is not tried again; after the last attempt a notice is given up', async () => {
    const made = await make();
    hook.answers.push(404);
    await enqueue(made.id, 'refused');
    const [failed] = await until(
      () => deliveries(made.id),
      ([one]) => one?.status === 'failed',
    );
    expect(failed).toMatchObject({ attempts: 1, last_error: expect.stringContaining('status 404') });
    hook.answers.push(500);
    await app.ctx.transaction(async (tx) => {
      await enqueueNotice(tx, [{ destination_id: made.id, name: 'Target' }], { about: 'last', notice });
      await sql`update notice_deliveries set attempts = 6 where key = ${`last-destination-${made.id}`}`.execute(tx.db);
    });
    const [given] = await until(
      () => deliveries(made.id),
      ([one]) => one?.status === 'gave_up',
    );
    expect(given).toMatchObject({ attempts: 7, status: 'gave_up' });
  });

  test('a notice whose job was lost for good is sent all the same', async () => {
    const made = await make();
    await sql`
      insert into notice_deliveries (key, destination_id, target_id, name, subject, notice, next_attempt_at)
      values (${`lost-${made.id}`}, ${made.id}, ${made.id}, 'Target', 's', ${JSON.stringify(notice)}::jsonb, now() - interval '1 minute')`.execute(
      app.ctx.db,
    );
    await sweepNotices(app.ctx);
    const [sent] = await until(
      () => deliveries(made.id),
      ([one]) => one?.status === 'sent',
    );
    expect(sent?.status).toBe('sent');
  });
});
