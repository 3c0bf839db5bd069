import { dashboardAclApi, dashboardFavoriteApi, dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { eventsApi } from '@telltale/domain/events/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const [ann, ben] = [await app.make.user({ name: 'Ann' }), await app.make.user({ name: 'Ben' })];
const annOnly = await app.make.group();
const source = await app.make.dataSource();
const query = await app.make.query({ data_source_id: source.id, user_id: ann.id });
const make = (name: string) => app.as(ann).get(dashboardsApi.create, { body: { name } });
const at = (id: number | string) => ({ params: { id: String(id) } });
const of = (id: number) => ({ params: { id } });
const published = async (name = 'Published') => {
  const dashboard = await app.make.dashboard({ user_id: ann.id, name, is_draft: false });
  await app.make.widget({ dashboard_id: dashboard.id, visualization_id: query.visualization_id });
  return dashboard;
};

describe('Q4 and 16.2: a new dashboard', () => {
  test('is a named draft of its creator', async () => {
    const dashboard = await make('  Cold Storage  ');
    expect(dashboard).toMatchObject({
      name: 'Cold Storage',
      slug: 'cold-storage',
      url: `/dashboards/${dashboard.id}-cold-storage`,
      user_id: ann.id,
      user: { id: ann.id, name: 'Ann', email: ann.email },
      is_draft: true,
      is_archived: false,
      version: 1,
      widgets: null,
      layout: [],
      tags: [],
      is_favorite: false,
    });
  });

  test.each([{}, { name: '' }, { name: '   ' }, { name: 'x'.repeat(101) }, { name: 5 }, { name: null }, { name: ['x'] }])(
    'D5: %j has no name that can be saved',
    async (body) => {
      expect((await app.as(ann).json('POST', '/api/dashboards', body)).status).toBe(400);
    },
  );

  test('needs create_dashboard', async () => {
    const group = await app.make.group({ permissions: ['list_dashboards'] });
    const looker = await app.make.user({ groups: [], group_ids: [group.id] });
    expect((await app.as(looker).call(dashboardsApi.create, { body: { name: 'x' } })).status).toBe(403);
  });

  test('what else is sent is not believed (W9)', async () => {
    const body = {
      name: 'Mine',
      user_id: ben.id,
      org_id: 99,
      is_draft: false,
      version: 77,
      slug: 'stolen',
      is_archived: true,
      api_key: 'x',
    };
    const answer = await (await app.as(ann).json('POST', '/api/dashboards', body)).json();
    expect(answer).toMatchObject({ user_id: ann.id, is_draft: true, version: 1, slug: 'mine', is_archived: false });
  });
});

describe('server-behaviour 16.1: old addresses', () => {
  test('equal names get different ones, also all at once, and each leads to its own', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => make('Twin')));
    const { rows } = await sql<{ id: number; slug: string }>`
      select id, slug from dashboards where name = 'Twin' order by length(slug), slug`.execute(app.ctx.db);
    expect(rows.map(({ slug }) => slug)).toEqual(['twin', 'twin_1', 'twin_2', 'twin_3', 'twin_4', 'twin_5', 'twin_6', 'twin_7']);
    expect(rows.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
    for (const { id, slug } of rows) {
      expect((await app.as(ann).get(dashboardsApi.get, { ...at(slug), query: { legacy: '' } })).id).toBe(id);
    }
  });

  test.each(['favorites', 'my', 'recent', 'tags', 'shared', 'public'])('a dashboard named %s is not hidden by a list', async (name) => {
    const { id } = await make(name);
    expect((await app.as(ann).get(dashboardsApi.get, { ...at(`${name}_1`), query: { legacy: 'true' } })).id).toBe(id);
  });

  test('a name of digits is a name by `legacy` and a number without', async () => {
    const { id } = await make('2024');
    expect((await app.as(ann).fetch('/api/dashboards/2024?legacy')).status).toBe(200);
    expect((await app.as(ann).get(dashboardsApi.get, { ...at('2024'), query: { legacy: '1' } })).id).toBe(id);
    expect((await app.as(ann).call(dashboardsApi.get, at('2024'))).status).toBe(404);
  });

  test('renaming changes the canonical address, not the old one', async () => {
    const { id } = await make('Before');
    const saved = await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { name: 'After' } });
    expect(saved).toMatchObject({ slug: 'after', url: `/dashboards/${id}-after` });
    expect((await app.as(ann).get(dashboardsApi.get, { ...at('before'), query: { legacy: '' } })).name).toBe('After');
  });

  test('the number alone, with any name behind it, and by slug where there is no number', async () => {
    const { id } = await make('Three ways');
    for (const address of [`${id}`, `${id}-three-ways`, `${id}-something-else`, 'three-ways']) {
      expect((await app.as(ann).get(dashboardsApi.get, at(address))).id).toBe(id);
    }
  });

  test.each(['0', '99999999999', '999999', 'nothing', "x' or 1=1 --", '<script>', '%00', '-1', '..%2f..%2fetc', 'é'])(
    '%s leads nowhere: not found, never an error',
    async (address) => {
      const encoded = address.startsWith('%') || address.includes('%2f') ? address : encodeURIComponent(address);
      expect([400, 404]).toContain((await app.as(ann).fetch(`/api/dashboards/${encoded}`)).status);
    },
  );
});

describe('server-behaviour 16.2: saving', () => {
  test('only sent keys change, the version moves with each change', async () => {
    const { id } = await make('Changing');
    const first = await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { tags: ['a', ' b ', '', 'a'] } });
    expect(first).toMatchObject({ name: 'Changing', tags: ['a', 'b'], version: 2, widgets: [], can_edit: true });
    const second = await app.as(ann).get(dashboardsApi.save, {
      ...of(id),
      body: { dashboard_filters_enabled: true, options: { globalParamOrder: ['x'] }, version: 2 },
    });
    expect(second).toMatchObject({ tags: ['a', 'b'], dashboard_filters_enabled: true, options: { globalParamOrder: ['x'] }, version: 3 });
  });

  test('D8: a stale version is a conflict, and nothing of it is saved', async () => {
    const { id } = await make('Fought over');
    await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { name: 'First', version: 1 } });
    const reply = await app.as(app.admin).call(dashboardsApi.save, { ...of(id), body: { name: 'Second', tags: ['x'], version: 1 } });
    expect(reply.status).toBe(409);
    expect(await app.as(ann).get(dashboardsApi.get, at(id))).toMatchObject({ name: 'First', tags: [], version: 2 });
  });

  test('design 8: the author of the last edit may send an older version', async () => {
    const { id } = await make('Resent');
    for (const name of ['First', 'Second'])
      expect(await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { name, tags: null, options: null, version: 1 } })).toMatchObject(
        {
          name,
        },
      );
  });

  test('of several editors at once exactly one wins', async () => {
    const { id } = await make('Race');
    const editors = await Promise.all(['One', 'Two', 'Three', 'Four'].map((name) => app.make.user({ name })));
    for (const { id: user_id } of editors) await app.as(ann).json('POST', `/api/dashboards/${id}/acl`, { access_type: 'modify', user_id });
    const replies = await Promise.all(
      editors.map((editor, n) => app.as(editor).call(dashboardsApi.save, { ...of(id), body: { name: `By ${n}`, version: 1 } })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await app.as(ann).get(dashboardsApi.get, at(id))).version).toBe(2);
  });

  test('without a version the caller means to overwrite', async () => {
    const { id } = await make('Overwritten');
    await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { name: 'First' } });
    expect((await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { name: 'Second' } })).name).toBe('Second');
  });

  test('publishing and back', async () => {
    const { id } = await make('Draft');
    expect((await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { is_draft: false } })).is_draft).toBe(false);
    expect((await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { is_draft: true } })).is_draft).toBe(true);
  });

  test('a whole object posted back changes what may be changed and nothing else (W9)', async () => {
    const { id } = await make('Whole');
    const whole = await app.as(ann).get(dashboardsApi.get, at(id));
    const forged = {
      ...whole,
      name: 'Renamed',
      user_id: ben.id,
      user: { id: ben.id },
      slug: 'x',
      can_edit: true,
      widgets: [{ id: 1 }],
      layout: [1],
    };
    const response = await app.as(ann).json('POST', `/api/dashboards/${id}`, forged);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ name: 'Renamed', user_id: ann.id, slug: 'renamed', layout: [], widgets: [] });
  });

  test.each([
    { name: '' },
    { name: 7 },
    { tags: 'a' },
    { tags: [1] },
    { is_draft: 'yes' },
    { version: 'one' },
    { options: [] },
    { options: 'x' },
    { options: { globalParamOrder: 'x' } },
    { options: { globalParamOrder: Array.from({ length: 600 }, () => 'x') } },
    { options: { big: 'x'.repeat(210_000) } },
    { options: nested(80) },
    { dashboard_filters_enabled: null },
    [],
    'x',
  ])('%o is refused with a reason', async (body) => {
    const { id } = await make('Hostile');
    const response = await app.as(ann).json('POST', `/api/dashboards/${id}`, body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toMatch(/\w/);
  });

  test('script and SQL are text like any other', async () => {
    const name = `<script>alert(1)</script>'; drop table dashboards; --`;
    const { id } = await make(name);
    await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { tags: [name], options: { note: name } } });
    const found = await app.as(ann).get(dashboardsApi.list, { query: { q: `alert(1)</script>'; drop`, tags: name } });
    expect(found.results).toMatchObject([{ id, name, tags: [name], options: { note: name } }]);
  });

  test('`__proto__` in the options reaches no prototype', async () => {
    const { id } = await make('Polluted');
    const response = await app.as(ann).fetch(`/api/dashboards/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"options":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
    });
    expect([200, 400]).toContain(response.status);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

function nested(depth: number): object {
  let value: object = {};
  for (let i = 0; i < depth; i++) value = { value };
  return value;
}

describe('design 8: drafts and who may open them', () => {
  test('owner, administrators, and whom they let in', async () => {
    const { id } = await make('Secret draft');
    expect((await app.as(ben).call(dashboardsApi.get, at(id))).status).toBe(403);
    expect((await app.as(ben).call(dashboardsApi.fork, of(id))).status).toBe(403);
    expect((await app.as(ben).call(dashboardFavoriteApi.add, of(id))).status).toBe(403);
    expect((await app.as(ben).call(dashboardAclApi.list, of(id))).status).toBe(403);
    expect((await admin.call(dashboardsApi.get, at(id))).status).toBe(200);
    await app.as(ann).get(dashboardAclApi.grant, { ...of(id), body: { access_type: 'modify', user_id: ben.id } });
    expect(await app.as(ben).get(dashboardsApi.get, at(id))).toMatchObject({ can_edit: true });
    expect((await app.as(ben).get(dashboardsApi.list, { query: { q: 'Secret draft' } })).count).toBe(1);
    await app.as(ann).get(dashboardAclApi.revoke, { ...of(id), body: { access_type: 'modify', user_id: ben.id } });
    expect((await app.as(ben).call(dashboardsApi.get, at(id))).status).toBe(403);
  });

  test('a published one is there for everybody who may list dashboards', async () => {
    const { id } = await published();
    expect(await app.as(ben).get(dashboardsApi.get, at(id))).toMatchObject({ can_edit: false, publicAccessEnabled: false });
    const nobodyAtAll = await app.make.user({ groups: [] });
    expect((await app.as(nobodyAtAll).call(dashboardsApi.get, at(id))).status).toBe(403);
    expect((await app.anonymous().call(dashboardsApi.get, at(id))).status).toBe(404);
  });
});

describe('D6 and 17: who may do what', () => {
  test('whom the owner let in edits, but does not archive, share or let others in', async () => {
    const { id } = await published();
    const body = { access_type: 'modify' as const, user_id: ben.id };
    expect((await app.as(ben).call(dashboardsApi.save, { ...of(id), body: { name: 'x' } })).status).toBe(403);
    expect(await app.as(ann).get(dashboardAclApi.grant, { ...of(id), body })).toMatchObject({ object_type: 'dashboards', grantee: ben.id });
    expect(await app.as(ben).get(dashboardsApi.save, { ...of(id), body: { name: 'By Ben' } })).toMatchObject({ name: 'By Ben' });
    expect(await app.as(ann).get(dashboardAclApi.list, of(id))).toMatchObject({ modify: [{ id: ben.id, name: 'Ben' }] });
    expect(await app.as(ben).get(dashboardAclApi.check, { params: { id, accessType: 'modify' } })).toEqual({ response: true });
    for (const call of [
      () => app.as(ben).call(dashboardsApi.archive, of(id)),
      () => app.as(ben).call(dashboardsApi.save, { ...of(id), body: { is_archived: true } }),
      () => app.as(ben).call(dashboardsApi.share, { ...of(id), body: {} }),
      () => app.as(ben).call(dashboardsApi.unshare, of(id)),
      () => app.as(ben).call(dashboardAclApi.grant, { ...of(id), body }),
      () => app.as(ben).call(dashboardAclApi.revoke, { ...of(id), body }),
    ]) {
      expect((await call()).status).toBe(403);
    }
  });

  test.each([
    [{ access_type: 'own', user_id: 1 }, 'Unknown access type.'],
    [{ access_type: 'modify', user_id: 999_999 }, 'User not found.'],
  ])('a grant of %j is refused', async (body, message) => {
    const { id } = await published();
    const response = await app.as(ann).json('POST', `/api/dashboards/${id}/acl`, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message });
  });

  test('without edit_dashboard nobody edits, not even their own', async () => {
    const group = await app.make.group({ permissions: ['list_dashboards', 'create_dashboard'] });
    const maker = await app.make.user({ groups: [], group_ids: [group.id] });
    const { id } = await app.as(maker).get(dashboardsApi.create, { body: { name: 'Once and never again' } });
    expect(await app.as(maker).get(dashboardsApi.get, at(id))).toMatchObject({ can_edit: false });
    expect((await app.as(maker).call(dashboardsApi.save, { ...of(id), body: { name: 'x' } })).status).toBe(403);
  });
});

test('security 20: a dashboard of another organisation does not exist, not even for administrators', async () => {
  const { rows } = await sql<{ id: number }>`
    with org as (insert into organizations (name, slug) values ('Other', 'other') returning id)
    insert into dashboards (org_id, slug, name, user_id, is_draft) select id, 'foreign', 'Foreign', ${ann.id}, false from org returning id`.execute(
    app.ctx.db,
  );
  const id = rows[0]?.id ?? 0;
  const { id: widget } = await app.make.widget({ dashboard_id: id, text: 'Foreign text' });
  for (const client of [app.as(ann), admin]) {
    for (const call of [
      () => client.call(dashboardsApi.get, at(id)),
      () => client.call(dashboardsApi.get, { ...at('foreign'), query: { legacy: '' } }),
      () => client.call(dashboardsApi.save, { ...of(id), body: { name: 'x' } }),
      () => client.call(dashboardsApi.archive, of(id)),
      () => client.call(dashboardsApi.fork, of(id)),
      () => client.call(dashboardsApi.layout, { ...of(id), body: { widgets: [] } }),
      () => client.call(dashboardsApi.share, { ...of(id), body: {} }),
      () => client.call(dashboardsApi.unshare, of(id)),
      () => client.call(dashboardFavoriteApi.add, of(id)),
      () => client.call(dashboardAclApi.list, of(id)),
      () => client.call(dashboardAclApi.grant, { ...of(id), body: { access_type: 'modify', user_id: ben.id } }),
      () => client.call(widgetsApi.create, { body: { dashboard_id: id, text: 'x' } }),
      () => client.call(widgetsApi.save, { ...of(widget), body: { text: 'x' } }),
      () => client.call(widgetsApi.remove, of(widget)),
    ]) {
      expect((await call()).status).toBe(404);
    }
    expect((await client.get(dashboardsApi.list, { query: { q: 'Foreign' } })).count).toBe(0);
  }
});

describe('D4: archiving', () => {
  test('takes it out of the lists; its address still works', async () => {
    const { id } = await published('To be archived');
    expect(await app.as(ann).get(dashboardsApi.archive, of(id))).toMatchObject({ is_archived: true, version: 3 });
    expect((await app.as(ann).get(dashboardsApi.list, { query: { q: 'To be archived' } })).count).toBe(0);
    expect(await app.as(ben).get(dashboardsApi.get, at(id))).toMatchObject({ is_archived: true });
    expect((await app.as(ann).get(dashboardsApi.archive, of(id))).version).toBe(3);
  });

  test('D5: an archived one is not edited, in any way, until it is brought back', async () => {
    const { id } = await published();
    const { widgets } = await app.as(ann).get(dashboardsApi.archive, of(id));
    const widget = widgets[0]?.id ?? 0;
    for (const call of [
      () => app.as(ann).call(dashboardsApi.save, { ...of(id), body: { name: 'x' } }),
      () => app.as(ann).call(dashboardsApi.layout, { ...of(id), body: { widgets: [{ id: widget, options: { position: { col: 1 } } }] } }),
      () => app.as(ann).call(widgetsApi.create, { body: { dashboard_id: id, text: 'x' } }),
      () => app.as(ann).call(widgetsApi.save, { ...of(widget), body: { text: 'x' } }),
      () => app.as(ann).call(widgetsApi.remove, of(widget)),
      () => app.as(ann).call(dashboardsApi.share, { ...of(id), body: {} }),
    ]) {
      expect((await call()).status).toBe(403);
    }
    expect(await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { is_archived: false } })).toMatchObject({ is_archived: false });
    expect((await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { name: 'Back' } })).name).toBe('Back');
  });
});

describe('server-behaviour 16.2: lists', () => {
  const listed = async (user: { api_key: string }, q: string) =>
    (await app.as(user).get(dashboardsApi.list, { query: { q } })).results.map(({ name }) => name);

  test('published ones that show something one may see; drafts of others, empty and text-only ones not', async () => {
    const hidden = await app.make.dataSource({ groups: { [annOnly.id]: false } });
    const secret = await app.make.query({ data_source_id: hidden.id, user_id: ann.id });
    const show = async (name: string, visualization_id: number | null, is_draft = false) => {
      const { id } = await app.make.dashboard({ user_id: ann.id, name, is_draft });
      await app.make.widget({ dashboard_id: id, visualization_id, text: 'text' });
    };
    await show('Seen one', query.visualization_id);
    await show('Unseen text', null);
    await show('Unseen source', secret.visualization_id);
    await show('Unseen draft', query.visualization_id, true);
    await app.make.dashboard({ user_id: ann.id, name: 'Unseen empty', is_draft: false });
    expect(await listed(ben, 'seen')).toEqual(['Seen one']);
    expect(await listed(ann, 'seen')).toHaveLength(5);
    expect(await listed(app.admin, 'seen')).toHaveLength(5);
  });

  test('search takes signs literally, and finds parts of names whatever their case (W42)', async () => {
    await published('100% cold_room');
    expect(await listed(ben, 'COLD_R')).toEqual(['100% cold_room']);
    expect(await listed(ben, '0% c')).toEqual(['100% cold_room']);
    expect(await listed(ben, 'coldxroom')).toEqual([]);
    expect(await listed(ben, '%%')).toEqual([]);
  });

  test('orders, pages and tags', async () => {
    for (const name of ['ord b', 'ord A', 'ord c']) {
      const { id } = await published(name);
      await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { tags: ['ord', name] } });
    }
    const names = async (query: object) =>
      (await app.as(ben).get(dashboardsApi.list, { query: { q: 'ord ', ...query } })).results.map(({ name }) => name);
    expect(await names({})).toEqual(['ord c', 'ord A', 'ord b']);
    expect(await names({ order: 'name' })).toEqual(['ord A', 'ord b', 'ord c']);
    expect(await names({ order: '-name', page_size: 2 })).toEqual(['ord c', 'ord b']);
    expect(await names({ order: 'nonsense; drop table' })).toEqual(['ord c', 'ord A', 'ord b']);
    expect(await names({ tags: ['ord', 'ord b'] })).toEqual(['ord b']);
    expect((await app.as(ben).call(dashboardsApi.list, { query: { q: 'ord ', page: 9 } })).status).toBe(400);
    const { tags } = await app.as(ben).get(dashboardsApi.tags);
    expect(tags).toContainEqual({ name: 'ord', count: 3 });
  });

  test('one’s own', async () => {
    await app.as(ben).get(dashboardsApi.create, { body: { name: 'Of Ben' } });
    const mine = await app.as(ben).get(dashboardsApi.my);
    expect(mine.results.map(({ name }) => name)).toEqual(['Of Ben']);
  });

  test('D7: the ones changed last are a page too, with the parameters of every list', async () => {
    const recent = (query: object) => app.as(ann).get(dashboardsApi.recent, { query });
    const all = await recent({});
    expect(all).toMatchObject({ page: 1, page_size: 25, count: (await app.as(ann).get(dashboardsApi.list)).count });
    expect(all.results[0]?.name).toBe('ord c');
    const oldest = all.results.at(-1);
    await app.as(ann).get(dashboardsApi.save, { ...of(oldest?.id ?? 0), body: { tags: ['ord'] } });
    const [first, second] = (await recent({ page_size: 2 })).results;
    expect([first?.id, second?.name]).toEqual([oldest?.id, 'ord c']);
    const names = async (query: object) => (await recent(query)).results.map(({ name }) => name);
    expect(await names({ q: 'ord ', page_size: 1, page: 2 })).toEqual(['ord A']);
    expect(await names({ q: 'ord ', order: 'name' })).toEqual(['ord A', 'ord b', 'ord c']);
    expect(await names({ tags: ['ord b'] })).toEqual(['ord b']);
  });

  test('17: favorites are one’s own, and starring twice is starring once', async () => {
    const { id } = await published('Starred');
    for (let i = 0; i < 2; i++) expect((await app.as(ben).call(dashboardFavoriteApi.add, of(id))).body).toBeNull();
    expect((await app.as(ben).get(dashboardsApi.get, at(id))).is_favorite).toBe(true);
    expect((await app.as(ann).get(dashboardsApi.get, at(id))).is_favorite).toBe(false);
    const { results } = await app.as(ben).get(dashboardsApi.favorites);
    expect(results).toMatchObject([{ id, is_favorite: true, starred_at: expect.any(String) }]);
    await app.as(ann).get(dashboardsApi.archive, of(id));
    expect((await app.as(ben).get(dashboardsApi.favorites)).count).toBe(0);
    await app.as(ben).get(dashboardFavoriteApi.remove, of(id));
    expect((await app.as(ben).get(dashboardsApi.get, at(id))).is_favorite).toBe(false);
  });

  test('Q2: the checklist of the home page counts what one can reach', async () => {
    const before = (await app.as(ben).get(organizationApi.status)).object_counters.dashboards;
    await published();
    expect((await app.as(ben).get(organizationApi.status)).object_counters.dashboards).toBe(before + 1);
  });
});

describe('server-behaviour 16.2: a copy', () => {
  test('is a draft of its creator, with only the objects that they may see (security 20)', async () => {
    const hidden = await app.make.dataSource({ groups: { [annOnly.id]: false } });
    const secret = await app.make.query({ data_source_id: hidden.id, user_id: ann.id });
    const { id } = await published('Original');
    await app.make.widget({ dashboard_id: id, visualization_id: secret.visualization_id });
    await app.make.widget({ dashboard_id: id, text: 'Words', options: { position: { col: 2 } } });
    const copy = await app.as(ben).get(dashboardsApi.fork, of(id));
    expect(copy).toMatchObject({ name: `Copy of (#${id}) Original`, user_id: ben.id, is_draft: true, version: 1 });
    expect(copy.widgets).toMatchObject([
      { visualization: { id: query.visualization_id } },
      { text: 'Words', options: { position: { col: 2 } } },
    ]);
  });
});

test('23: what happened is written down', async () => {
  const { id } = await make('Watched');
  await app.as(ann).get(dashboardsApi.get, at(id));
  await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { is_draft: false } });
  await app.as(ann).get(dashboardsApi.archive, of(id));
  const { results } = await admin.get(eventsApi.list, { query: { page_size: 250 } });
  const actions = results
    .filter((event) => event.object_type === 'dashboard' && event.object_id === String(id))
    .map(({ action }) => action);
  expect(actions.toReversed()).toEqual(['create', 'view', 'toggle_published', 'archive']);
});

test('W38: fifty widgets cost no more statements than one', async () => {
  const statements = async (id: number) => {
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    await app.as(ann).get(dashboardsApi.get, at(id));
    const count = spy.mock.calls.length;
    spy.mockRestore();
    return count;
  };
  const [small, large] = [await published('Small'), await published('Large')];
  const queries = await Promise.all(Array.from({ length: 10 }, () => app.make.query({ data_source_id: source.id, user_id: ann.id })));
  for (let i = 0; i < 49; i++) {
    await app.make.widget({ dashboard_id: large.id, visualization_id: queries[i % 10]?.visualization_id ?? null });
  }
  expect(await statements(large.id)).toBe(await statements(small.id));
  expect(await statements(large.id)).toBeLessThan(15);
  expect((await app.as(ann).get(dashboardsApi.get, at(large.id))).widgets).toHaveLength(50);
});
