import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { on } from '../platform/signals.ts';
import { refreshDueQueries } from '../results/scheduled-runs.ts';
import { hookServer } from '../testing/hook-server.ts';
import { runSaved } from '../testing/run-query.ts';
import { fakeSmtp } from '../testing/smtp.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { alertFired } from './alert-signals.ts';
import { notePausedSources } from './query-alerts.ts';

const smtp = await fakeSmtp();
const hook = await hookServer();
const app = await testApp({ env: { SMTP_URL: smtp.url, TELLTALE_ALLOW_PRIVATE: '*', PUBLIC_URL: 'https://console.example' } });
await app.startWorker();
const owner = await app.make.user({ name: 'Olga', email: 'olga@example.com' });
const mine = app.as(owner);
const target = await targetDatabase();
const source = await app.make.dataSource({ name: 'Plant', options: target.options });
await target.query('create table reading (id serial primary key, v jsonb)');

const show = async (...values: unknown[]) => {
  await target.query('truncate reading');
  for (const value of values) await target.query('insert into reading (v) values ($1)', [JSON.stringify(value)]);
};
const destination = await app.as(app.admin).get(destinationsApi.create, {
  body: { name: 'Hook', type: 'webhook', options: { url: `${hook.url}/alerts`, secret: 'sesame' } },
});

let count = 0;
const text = "select v #>> '{}' as v, id from reading order by id";
async function make(options: object = {}, rearm?: number) {
  const query = await app.make.query({
    data_source_id: source.id,
    user_id: owner.id,
    name: `Pressure ${++count}`,
    query: `${text} -- ${count}`,
  });
  const body = { name: `Alert ${count}`, query_id: query.id, options: { column: 'v', op: '>' as const, value: 10, ...options }, rearm };
  const alert = await mine.get(alertsApi.create, { body });
  await mine.get(alertsApi.subscribe, { params: { id: alert.id }, body: { destination_id: destination.id } });
  return { query, alert };
}
const read = (id: number) => mine.get(alertsApi.get, { params: { id } });
const evaluations = async (id: number) => (await mine.get(alertsApi.evaluations, { params: { id } })).results;
/** Runs the query and waits until the alert has seen the result. */
async function run(queryId: number, alertId: number) {
  const before = (await mine.get(alertsApi.evaluations, { params: { id: alertId } })).count;
  const ran = await runSaved(mine, queryId);
  expect(ran.error).toBe('');
  await until(
    async () => (await mine.get(alertsApi.evaluations, { params: { id: alertId } })).count,
    (seen) => seen > before,
  );
  return read(alertId);
}
const callsOf = (alertId: number) =>
  hook.calls.filter(({ json }) => (json as { alert?: { id: number } } | undefined)?.alert?.id === alertId);
const noticesOf = (alertId: number, wanted: number) =>
  until(
    () => callsOf(alertId),
    ({ length }) => length >= wanted,
  );

beforeEach(() => {
  hook.answers.length = 0;
});

describe('alerts on queries', () => {
  test('a stored result over the threshold triggers the alert, and the webhook gets a key and a signature', async () => {
    const { query, alert } = await make();
    expect(alert).toMatchObject({ state: 'unknown', unknown_reason: 'Alert condition has not been evaluated.', last_triggered_at: null });
    await show(50);
    expect(await run(query.id, alert.id)).toMatchObject({ state: 'triggered', unknown_reason: null });
    const [call] = await noticesOf(alert.id, 1);
    expect(call?.json).toMatchObject({
      event: 'alert_state_change',
      url_base: 'https://console.example',
      alert: { id: alert.id, name: alert.name, state: 'triggered', query_id: query.id, user_id: owner.id, title: null, description: null },
      // server-behaviour 15.3: the run that gave the result.
      metadata: {
        Username: owner.email,
        query_id: query.id,
        Queue: 'queries',
        'Job ID': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'Query Hash': expect.stringMatching(/^[0-9a-f]{32,}$/),
        Scheduled: false,
      },
    });
    const [evaluation] = await evaluations(alert.id);
    expect(evaluation).toMatchObject({ value: '50', threshold: 10, state: 'triggered', previous_state: 'unknown', notified: true });
    expect(call?.headers['x-telltale-delivery']).toBe(`alert-${alert.id}-evaluation-${evaluation?.id}-destination-${destination.id}`);
    expect(call?.headers['x-telltale-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    const delivered = await until(
      async () => (await mine.get(alertsApi.deliveries, { params: { id: alert.id } })).results[0],
      (one) => one?.status === 'sent',
    );
    expect(delivered).toMatchObject({
      kind: 'destination',
      target_id: destination.id,
      name: 'Hook',
      status: 'sent',
      attempts: 1,
      last_error: null,
    });
  });

  test('A4: rearm 0 notifies once until back to normal', async () => {
    const { query, alert } = await make();
    const outcomes: string[] = [];
    for (const value of [5, 50, 60, 5, 70]) {
      await show(value);
      await run(query.id, alert.id);
      outcomes.push((await evaluations(alert.id))[0]?.outcome ?? '');
    }
    expect(outcomes).toEqual(['first_ok', 'notified', 'rearm', 'notified', 'notified']);
    expect((await noticesOf(alert.id, 3)).map(({ json }) => (json as { alert: { state: string } }).alert.state)).toEqual([
      'triggered',
      'ok',
      'triggered',
    ]);
  });

  test('A4: rearm 1 notifies at each evaluation while triggered', async () => {
    const { query, alert } = await make({}, 1);
    for (const value of [50, 60, 70]) {
      await show(value);
      await run(query.id, alert.id);
    }
    expect(await noticesOf(alert.id, 3)).toHaveLength(3);
  });

  test('server-behaviour 14.4: muted alerts change their state and tell nobody', async () => {
    const { query, alert } = await make();
    await mine.get(alertsApi.mute, { params: { id: alert.id } });
    await show(50);
    expect(await run(query.id, alert.id)).toMatchObject({ state: 'triggered', options: { muted: true } });
    expect((await evaluations(alert.id))[0]).toMatchObject({ outcome: 'muted', reason: 'Nobody was notified: notifications are muted.' });
    expect(callsOf(alert.id)).toEqual([]);
  });

  test('W23: one alert that cannot be evaluated stops none of the others', async () => {
    const { query, alert } = await make({ selector: 'max' });
    const other = await mine.get(alertsApi.create, {
      body: { name: 'Broken', query_id: query.id, options: { column: 'v', op: '>', value: 1 } },
    });
    await sql`update alerts set options = '{"kind":"query","muted":false,"op":"?","value":1}' where id = ${other.id}`.execute(app.ctx.db);
    await show(null, 50);
    expect(await run(query.id, alert.id)).toMatchObject({
      state: 'unknown',
      unknown_reason: 'The greatest value cannot be told: not every row has a number.',
    });
  });

  test('a custom template reaches the target as text, whatever the values are', async () => {
    const custom_body = '{{QUERY_NAME}} {{ALERT_STATUS}} {{QUERY_RESULT_VALUE}}{{#QUERY_RESULT_ROWS}} [{{v}}]{{/QUERY_RESULT_ROWS}}';
    const { query, alert } = await make({ op: '==', value: '"<b>"', custom_subject: '{{ALERT_NAME}} at {{ALERT_URL}}', custom_body });
    await show('"<b>"', 'x');
    await run(query.id, alert.id);
    const [call] = await noticesOf(alert.id, 1);
    expect(call?.json).toMatchObject({
      alert: {
        title: `${alert.name} at https://console.example/alerts/${alert.id}`,
        description: `${query.name} TRIGGERED "<b>" ["<b>"] [x]`,
      },
    });
  });

  test('server-behaviour 14.5: a template knows name, friendly name and type of each column', async () => {
    const { query, alert } = await make({
      custom_body: '{{#QUERY_RESULT_COLS}}{{name}}/{{friendly_name}}/{{type}} {{/QUERY_RESULT_COLS}}',
    });
    await show(50);
    await run(query.id, alert.id);
    expect((await noticesOf(alert.id, 1))[0]?.json).toMatchObject({ alert: { description: 'v/v/string id/id/integer ' } });
  });

  test('a subscription without a destination is the own e-mail address, with values escaped', async () => {
    const { query, alert } = await make({ op: '==', value: '<i>x</i>', custom_body: '<p>{{QUERY_RESULT_VALUE}}</p>' });
    await mine.get(alertsApi.subscribe, { params: { id: alert.id }, body: {} });
    await show('<i>x</i>');
    await run(query.id, alert.id);
    const [letter] = await smtp.lettersTo(owner.email);
    expect(letter?.subject).toBe(`Alert: ${alert.name} changed status to TRIGGERED`);
    expect(letter?.html.trim()).toBe('<p>&lt;i&gt;x&lt;/i&gt;</p>');
    expect(letter?.headers.get('message-id')).toMatch(new RegExp(`^<alert-${alert.id}-evaluation-\\d+-user-${owner.id}@telltale>$`));
  });

  test('a scheduled run that fails makes the alert unknown with the reason, tells nobody, and the next change is measured from before', async () => {
    const { query, alert } = await make();
    await show(50);
    await run(query.id, alert.id);
    await noticesOf(alert.id, 1);
    // The table is renamed first, because the worker may run the query as soon as it has a schedule.
    await target.query('alter table reading rename to elsewhere');
    await mine.get(queriesApi.save, { params: { id: query.id }, body: { schedule: { interval: 3600 } } });
    await sql`update queries set next_run_at = now() - interval '1 second' where id = ${query.id}`.execute(app.ctx.db);
    await refreshDueQueries(app.ctx);
    const failed = await until(
      () => read(alert.id),
      ({ state }) => state === 'unknown',
    );
    expect(failed.unknown_reason).toMatch(/^The query failed: .*reading/);
    expect((await evaluations(alert.id))[0]).toMatchObject({ outcome: 'query_failed', notified: false, previous_state: 'triggered' });
    await target.query('alter table elsewhere rename to reading');
    await show(60);
    expect(await run(query.id, alert.id)).toMatchObject({ state: 'triggered' });
    expect((await evaluations(alert.id))[0]?.outcome).toBe('rearm');
    await show(1);
    await run(query.id, alert.id);
    expect((await noticesOf(alert.id, 2)).map(({ json }) => (json as { alert: { state: string } }).alert.state)).toEqual([
      'triggered',
      'ok',
    ]);
  });

  test('a query that is due on a paused source makes its alert unknown once', async () => {
    const { query, alert } = await make();
    await mine.get(queriesApi.save, { params: { id: query.id }, body: { schedule: { interval: 3600 } } });
    await sql`update data_sources set paused_at = now(), pause_reason = 'upgrade' where id = ${source.id}`.execute(app.ctx.db);
    await sql`update queries set next_run_at = now() - interval '1 second' where id = ${query.id}`.execute(app.ctx.db);
    await notePausedSources(app.ctx);
    await notePausedSources(app.ctx);
    expect(await read(alert.id)).toMatchObject({ state: 'unknown', unknown_reason: 'The data source Plant is paused (upgrade).' });
    expect(await evaluations(alert.id)).toHaveLength(1);
    await sql`update data_sources set paused_at = null, pause_reason = null where id = ${source.id}`.execute(app.ctx.db);
    await sql`update queries set schedule = null, next_run_at = null where id = ${query.id}`.execute(app.ctx.db);
  });

  test('Q4: archiving a query removes its alerts in the same transaction', async () => {
    const { query, alert } = await make();
    await mine.get(queriesApi.archive, { params: { id: query.id } });
    expect((await mine.call(alertsApi.get, { params: { id: alert.id } })).status).toBe(404);
    expect((await mine.call(alertsApi.create, { body: { name: 'Late', query_id: query.id, options: { column: 'v' } } })).status).toBe(400);
  });

  test('eval evaluates the latest stored result now', async () => {
    const { query, alert } = await make();
    await show(50);
    await run(query.id, alert.id);
    await mine.get(alertsApi.save, { params: { id: alert.id }, body: { options: { column: 'v', op: '<', value: 10 } } });
    expect(await read(alert.id)).toMatchObject({ state: 'unknown' });
    expect(await mine.get(alertsApi.evaluate, { params: { id: alert.id } })).toMatchObject({ state: 'ok' });
  });

  test('server-behaviour 14.3.1: eval without a result is an evaluation, unknown with that reason, and notifies as every eval does', async () => {
    const { query, alert } = await make();
    expect(await mine.get(alertsApi.evaluate, { params: { id: alert.id } })).toMatchObject({
      state: 'unknown',
      unknown_reason: 'The query has no result yet.',
      last_triggered_at: null,
      last_evaluation: { state: 'unknown', value: null, outcome: 'notified', reason: 'The query has no result yet. Sent to Hook.' },
    });
    expect((await noticesOf(alert.id, 1))[0]?.json).toMatchObject({ alert: { id: alert.id, state: 'unknown' } });
    await show(50);
    expect(await run(query.id, alert.id)).toMatchObject({ state: 'triggered', unknown_reason: null });
  });

  test('server-behaviour 14.2: eval notifies in any case, also when muted, and starts no command for an unchanged state', async () => {
    const { query, alert } = await make();
    const evaluateNow = () => mine.get(alertsApi.evaluate, { params: { id: alert.id } });
    await show(50);
    const triggered = await run(query.id, alert.id);
    const fired: number[] = [];
    const stop = on(alertFired, async (_, { alert_id }) => void fired.push(alert_id));
    expect(await evaluateNow()).toMatchObject({ state: 'triggered', last_triggered_at: triggered.last_triggered_at });
    await mine.get(alertsApi.mute, { params: { id: alert.id } });
    await evaluateNow();
    stop();
    expect(fired).not.toContain(alert.id);
    expect((await evaluations(alert.id)).map(({ outcome }) => outcome)).toEqual(['notified', 'notified', 'notified']);
    const [, ...asked] = await noticesOf(alert.id, 3);
    expect(asked).toMatchObject([{ json: { metadata: {} } }, { json: { metadata: {} } }]);
    expect(asked.map(({ json }) => Object.keys((json as { metadata: object }).metadata))).toEqual([[], []]);
  });

  test('replay counts what an alert would have done with the stored results, and writes nothing', async () => {
    const { query, alert } = await make();
    for (const value of [5, 50, 60, 5, 70]) {
      await show(value);
      await run(query.id, alert.id);
    }
    const replay = (rearm: number) =>
      mine.get(alertsApi.replay, { body: { query_id: query.id, options: { column: 'v', op: '>', value: 10 }, rearm, days: 30 } });
    expect(await replay(0)).toMatchObject({
      evaluations: 5,
      notifications: 3,
      triggered: [{ value: '50' }, { value: '70' }],
      threshold: 10,
    });
    expect((await replay(1)).notifications).toBe(4);
    expect((await replay(0)).series.map(({ value }) => value)).toEqual(['5', '50', '60', '5', '70']);
    expect(await evaluations(alert.id)).toHaveLength(5);
  });

  test('query-setting answers columns, the top row, schedule and parameters', async () => {
    const { query, alert } = await make();
    expect(await mine.get(alertsApi.querySetting, { query: { query_id: query.id } })).toMatchObject({
      columns: [],
      row: null,
      retrieved_at: null,
    });
    await show(7, 8);
    await run(query.id, alert.id);
    const setting = await mine.get(alertsApi.querySetting, { query: { query_id: query.id } });
    expect(setting).toMatchObject({ query_id: query.id, name: query.name, row: { v: '7' }, schedule: null, parameters: 0 });
    expect(setting.columns.map(({ name }) => name)).toEqual(['v', 'id']);
  });
});
