import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { QueryResultReply } from '@telltale/domain/results/contract.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { rawRequest } from '../testing/raw.ts';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
await app.startWorker();
const ann = await app.make.user();
const bob = await app.make.user();
const source = await app.make.dataSource({ options: target.options });
const hidden = await app.make.dataSource({ options: target.options, groups: {} });
const client = app.as(ann);

const text = `select 1 as id, 'ü "q" 🛰' as name, true as ok, date '2024-02-29' as day, timestamp '2024-02-29 13:45:10.123456' as at,
  9223372036854775807 as big, 0.1::numeric as dec, null as nothing, '{"a": [1]}'::json as nested, '=1+1' as formula, -5 as negative`;
const query = await app.make.query({ data_source_id: source.id, user_id: ann.id, name: 'Ørsted: café/plan "B" 🛰', query: text });
const { query_result } = await runSaved(client, query.id);
const id = query_result?.id ?? 0;

const fetchRaw = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(app.origin, path, { headers: { authorization: `Key ${ann.api_key}`, ...headers } });

describe('server-behaviour 11.1 and W27: the result', () => {
  test('values arrive as they are: exact numbers, ISO times, nested values', () => {
    expect(query_result?.data.rows).toEqual([
      {
        id: 1,
        name: 'ü "q" 🛰',
        ok: true,
        day: '2024-02-29',
        at: '2024-02-29T13:45:10.123',
        big: '9223372036854775807',
        dec: 0.1,
        nothing: null,
        nested: expect.anything(),
        formula: '=1+1',
        negative: -5,
      },
    ]);
    expect(query_result?.data.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'id integer',
      'name string',
      'ok boolean',
      'day date',
      'at datetime',
      'big integer',
      'dec float',
      'nothing string',
      'nested null',
      'formula string',
      'negative integer',
    ]);
  });

  test('equal column names are told apart', async () => {
    const { query_result: result } = await runAdHoc(client, { data_source_id: source.id, query: 'select 1 as a, 2 as a, 3 as a, 4 as a1' });
    expect(result?.data.rows).toEqual([{ a: 1, a1: 2, a2: 3, a11: 4 }]);
  });

  test('security 31: a column may be called __proto__', async () => {
    const { query_result: result } = await runAdHoc(client, {
      data_source_id: source.id,
      query: 'select 1 as "__proto__", 2 as "constructor"',
    });
    expect(Object.entries(result?.data.rows[0] ?? {}).length).toBeGreaterThan(0);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    for (const type of ['csv', 'tsv', 'xlsx', 'json']) {
      expect((await client.fetch(`/api/query_results/${result?.id}.${type}`)).status).toBe(200);
    }
  });

  test('no rows: the columns are there', async () => {
    const outcome = await runAdHoc(client, { data_source_id: source.id, query: 'select 1 as a where false' });
    expect(outcome.query_result?.data).toMatchObject({ rows: [], columns: [{ name: 'a', type: 'integer' }] });
    expect(await (await client.fetch(`/api/query_results/${outcome.query_result?.id}.csv`)).text()).toBe('a\r\n');
  });

  test('hostile cells are text in every form', async () => {
    const cells = ['</script><script>alert(1)</script>', `"`, `\\`, '\u2028', '\u0001', ',;\t\r\n', '\ufeff'];
    const list = cells.map((cell) => `(${`'${cell}'`})`).join(',');
    const outcome = await runAdHoc(client, { data_source_id: source.id, query: `select * from (values ${list}) as t(v)` });
    expect(outcome.rows?.map(({ v }) => v)).toEqual(cells);
    const response = await client.fetch(`/api/query_results/${outcome.query_result?.id}.csv`);
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('W34: bytes as they are stored', () => {
  const path = `/api/query_results/${id}`;

  test('the same answer as gzip or plain, by Accept-Encoding', async () => {
    const headers = { authorization: `Key ${ann.api_key}` };
    const zipped = await fetch(`${app.origin}${path}`, { headers: { ...headers, 'accept-encoding': 'gzip' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.headers.get('vary')).toMatch(/Accept-Encoding/i);
    const plain = await fetchRaw(path, { 'accept-encoding': 'identity' });
    expect(plain.headers['content-encoding'] ?? 'identity').toBe('identity');
    expect(await zipped.json()).toEqual(JSON.parse(plain.text));
    expect(QueryResultReply.parse(JSON.parse(plain.text)).query_result.id).toBe(id);
  });

  test.each(['', 'identity', 'br', 'deflate', '*;q=0', 'gzip;q=0', 'gzip;q=0, identity', 'x-gzip', 'zstd', 'br;q=1, gzip;q=0.0'])(
    'accept-encoding %j gets an answer it can read',
    async (accepted) => {
      const answer = await fetchRaw(path, { 'accept-encoding': accepted });
      expect(answer.status).toBe(200);
      const encoding = answer.headers['content-encoding'] ?? 'identity';
      expect(['identity', ...(accepted === 'deflate' ? ['deflate'] : []), ...(accepted === 'x-gzip' ? ['gzip'] : [])]).toContain(encoding);
      if (encoding === 'identity') expect(JSON.parse(answer.text)).toHaveProperty('query_result');
    },
  );

  test('a numbered result may be kept by the browser, the latest may not', async () => {
    const fixed = await client.fetch(path);
    expect(fixed.headers.get('cache-control')).toBe('private,max-age=31557600');
    expect(fixed.headers.get('etag')).toMatch(/^"/);
    const latest = await client.fetch(`/api/queries/${query.id}/results`);
    expect(latest.headers.get('cache-control')).toBe('no-store');
    expect(latest.headers.get('etag')).toBeNull();
    const byKey = await app.anonymous().fetch(`/api/queries/${query.id}/results/${id}.json?api_key=${query.api_key}`);
    expect(byKey.headers.get('etag')).not.toBe(fixed.headers.get('etag'));
  });

  test('a matching ETag gets 304 without a body; callers without access are refused first', async () => {
    const { headers } = await client.fetch(path);
    const etag = headers.get('etag') ?? '';
    const again = await client.fetch(path, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await client.fetch(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect((await app.anonymous().fetch(path, { headers: { 'if-none-match': etag } })).status).toBe(404);
  });
});

describe('11.2 to 11.5: files', () => {
  test.each(['csv', 'tsv', 'xlsx'])('a kept %s is another one when the organisation writes dates another way', async (type) => {
    const file = `/api/query_results/${id}.${type}`;
    const write = (date_format: string) => app.as(app.admin).get(organizationApi.saveSettings, { body: { date_format } });
    const { headers } = await client.fetch(file);
    const etag = headers.get('etag') ?? '';
    const statusNow = async () => (await client.fetch(file, { headers: { 'if-none-match': etag } })).status;
    expect(headers.get('cache-control')).toBe('private,max-age=60');
    expect(await statusNow()).toBe(304);
    await write('YYYY-MM-DD');
    expect(await statusNow()).toBe(200);
    await write('DD/MM/YY');
    expect(await statusNow()).toBe(304);
  });

  test.each(['csv', 'tsv', 'xlsx'])('server-behaviour 11.2: a numbered %s with raw=1 is kept for ever, the latest is not', async (type) => {
    const keptOf = async (address: string) => (await client.fetch(`${address}.${type}?raw=1`)).headers.get('cache-control');
    expect(await keptOf(`/api/query_results/${id}`)).toBe('private,max-age=31557600');
    expect(await keptOf(`/api/queries/${query.id}/results`)).toBe('no-store');
  });

  test.each([
    ['json', 'application/json; charset=utf-8'],
    ['csv', 'text/csv; charset=UTF-8'],
    ['tsv', 'text/tab-separated-values; charset=UTF-8'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ])('%s by number, of the query, and as the latest', async (ext, type) => {
    for (const path of [
      `/api/query_results/${id}.${ext}`,
      `/api/queries/${query.id}/results/${id}.${ext}`,
      `/api/queries/${query.id}/results.${ext}`,
    ]) {
      const response = await client.fetch(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')?.toLowerCase()).toBe(type.toLowerCase());
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(50);
    }
  });

  test('server-behaviour 11.3: the name of the query names the file, for old and new clients', async () => {
    const day = query_result?.retrieved_at.slice(0, 10).replaceAll('-', '_');
    const { headers } = await client.fetch(`/api/queries/${query.id}/results/${id}.csv`);
    const disposition = headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(new RegExp(`filename="?[\\x20-\\x7e]*${day}\\.csv`));
    expect(decodeURIComponent(/filename\*=UTF-8''([^;]*)/.exec(disposition)?.[1] ?? '')).toBe(`Ørsted_café_plan_B_🛰_${day}.csv`);
    const plain = await client.fetch(`/api/query_results/${id}.csv`);
    expect(plain.headers.get('content-disposition')).toContain(`${id}_${day}.csv`);
  });

  test('server-behaviour 11.2: JSON has its file name, with and without an extension', async () => {
    const day = query_result?.retrieved_at.slice(0, 10).replaceAll('-', '_');
    for (const path of [`/api/query_results/${id}`, `/api/query_results/${id}.json`]) {
      const { headers } = await client.fetch(path);
      expect(headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename="?${id}_${day}\\.json"?$`));
    }
    for (const path of [`/api/queries/${query.id}/results`, `/api/queries/${query.id}/results/${id}`]) {
      const { headers } = await client.fetch(path);
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename=.*plan_B.*\.json/);
    }
  });

  test('a hostile name cannot leave its header', async () => {
    for (const name of ['a\r\nSet-Cookie: x=1', '"; filename="evil.exe', '../../etc/passwd', '\u202Egnp.exe', '....', "x'; y"]) {
      const named = await app.make.query({ data_source_id: source.id, user_id: ann.id, name, query: text });
      await runSaved(client, named.id);
      const { headers } = await client.fetch(`/api/queries/${named.id}/results.csv`);
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('content-disposition')).not.toMatch(/\.\.\/|[\r\n]|\u202e/);
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename=("[^"]*"|[^\s;"]+)(; filename\*=UTF-8''[\w%.-]+)?$/);
    }
  });

  test('CSV: RFC line ends, quotes, formulas defused, all of it raw for machines', async () => {
    const csv = await (await client.fetch(`/api/query_results/${id}.csv`)).text();
    const [head = '', row = ''] = csv.split('\r\n');
    expect(head).toBe('id,name,ok,day,at,big,dec,nothing,nested,formula,negative');
    expect(row).toContain('1,"ü ""q"" 🛰",true,29/02/24,29/02/24 13:45,9223372036854775807,0.1,,');
    // design 8: keys get exact values, users get cells that spreadsheets do not run; `raw` overrides both.
    expect(row.endsWith(',=1+1,-5')).toBe(true);
    const defused = await (await client.fetch(`/api/query_results/${id}.csv?raw=0`)).text();
    expect(defused).not.toMatch(/,=1\+1,/);
    expect(defused.trimEnd().endsWith(',-5')).toBe(true);
    const raw = await (await client.fetch(`/api/query_results/${id}.csv?raw=1`)).text();
    expect(raw).toContain(',=1+1,-5');
    expect(raw).toContain(',2024-02-29,2024-02-29T13:45:10.123,');
    const tsv = await (await client.fetch(`/api/query_results/${id}.tsv`)).text();
    expect(tsv.split('\r\n')[0]).toBe('id\tname\tok\tday\tat\tbig\tdec\tnothing\tnested\tformula\tnegative');
  });

  test('XLSX is a zip archive', async () => {
    const bytes = Buffer.from(await (await client.fetch(`/api/query_results/${id}.xlsx`)).arrayBuffer());
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
    expect(bytes.includes('xl/worksheets/sheet1.xml')).toBe(true);
  });

  test.each(['exe', 'html', 'JSON', 'csv.gz', 'php', '', 'constructor', '..', 'json%00', 'xls'])(
    'the extension %j is not there',
    async (ext) => {
      for (const path of [
        `/api/query_results/${id}.${ext}`,
        `/api/queries/${query.id}/results/${id}.${ext}`,
        `/api/queries/${query.id}/results.${ext}`,
      ]) {
        expect([400, 404], path).toContain((await fetchRaw(path)).status);
      }
    },
  );

  test.each(['0', '-1', '1e3', 'abc', '99999999999', '2147483648', "1'--", '%27', '1.5.csv', '١'])(
    'the number %s is 404',
    async (number) => {
      expect((await fetchRaw(`/api/query_results/${encodeURI(number)}`)).status).toBe(404);
      expect((await fetchRaw(`/api/queries/${query.id}/results/${encodeURI(number)}.json`)).status).toBe(404);
    },
  );
});

describe('security 20: whose result it is', () => {
  test('everybody who may view its source, and nobody else', async () => {
    const secret = await runAdHoc(app.as(app.admin), { data_source_id: hidden.id, query: `select 'canary'` });
    const number = secret.query_result?.id;
    expect((await client.fetch(`/api/query_results/${id}`)).status).toBe(200);
    expect((await app.as(bob).fetch(`/api/query_results/${id}.csv`)).status).toBe(200);
    for (const path of [
      `/api/query_results/${number}`,
      `/api/query_results/${number}.csv`,
      `/api/queries/${query.id}/results/${number}.json`,
    ]) {
      const response = await client.fetch(path);
      expect(response.status).toBe(403);
      expect(await response.text()).not.toContain('canary');
    }
    expect((await app.anonymous().fetch(`/api/query_results/${id}`)).status).toBe(404);
  });

  test('view_query or execute_query is needed', async () => {
    const group = await app.make.group({ permissions: ['list_data_sources'] });
    const open = await app.make.dataSource({ options: target.options, groups: { [group.id]: false } });
    const outcome = await runAdHoc(app.as(app.admin), { data_source_id: open.id, query: 'select 1' });
    const user = await app.make.user({ groups: [], group_ids: [group.id] });
    expect((await app.as(user).fetch(`/api/query_results/${outcome.query_result?.id}`)).status).toBe(403);
  });

  test('a right that is taken away is gone with the next request, cached or not', async () => {
    const group = await app.make.group();
    const user = await app.make.user({ groups: [], group_ids: [group.id] });
    const open = await app.make.dataSource({ options: target.options, groups: { [group.id]: false } });
    const outcome = await runAdHoc(app.as(user), { data_source_id: open.id, query: 'select 1' });
    await sql`delete from data_source_groups where data_source_id = ${open.id}`.execute(app.ctx.db);
    expect((await app.as(user).fetch(`/api/query_results/${outcome.query_result?.id}`)).status).toBe(403);
    expect((await runAdHoc(app.as(user), { data_source_id: open.id, query: 'select 1', max_age: -1 })).status).toBe(403);
  });

  test('a query that never ran has no result', async () => {
    const fresh = await app.make.query({ data_source_id: source.id, user_id: ann.id });
    const response = await client.fetch(`/api/queries/${fresh.id}/results`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ message: expect.stringContaining('No cached result found for this query.') });
  });

  test('a result that is still coming in is not there yet', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into query_results (org_id, data_source_id, query_hash, query, columns, row_count, byte_count, runtime, is_complete)
      select org_id, id, 'h', 'q', '[]', 0, 0, 0, false from data_sources where id = ${source.id} returning id`.execute(app.ctx.db);
    expect((await client.fetch(`/api/query_results/${rows[0]?.id}`)).status).toBe(404);
  });
});
