import { devicesApi } from '@telltale/domain/channels/contract.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { expect, test } from 'vitest';
import { consoleWithBroker } from './support/devices.ts';
import { dialog, isGone, isSeen, soon } from './support/screen.ts';

const { here, client, aDevice, connect, account, url } = consoleWithBroker('dashboards-now');

async function makeBoard(name: string, query: string) {
  const sources = await client().get(dataSourcesApi.list);
  const source = (Array.isArray(sources) ? sources : sources.results).find(({ type }) => type === 'telltale');
  const made = await client().get(queriesApi.create, {
    body: { name: `${name} with a very long title`, query, data_source_id: source?.id ?? 0, options: { parameters: [] } },
  });
  await client().get(queriesApi.save, { params: { id: made.id }, body: { is_draft: false } });
  const board = await client().get(dashboardsApi.create, { body: { name } });
  const visualization_id = made.visualizations[0]?.id ?? 0;
  const add = (body: object) => client().get(widgetsApi.create, { body: { dashboard_id: board.id, ...body } });
  const widget = await add({ visualization_id, options: { position: { col: 0, row: 0, sizeX: 3, sizeY: 6 } } });
  await add({ text: 'Beside it', options: { position: { col: 3, row: 0, sizeX: 3, sizeY: 3 } } });
  return { ...board, widget };
}

test(
  'issue 20: Edit and Done leave every widget where it is in the page; a mouse drags it, and titles are as long as the organisation says',
  here('dashboards-now-edit', async ({ page, shot }) => {
    const board = await makeBoard('Steady', 'select 1 as one');
    await page.goto(board.url);
    const articles = page.getByRole('article');
    await isSeen(page.getByText('Beside it'));
    await isSeen(page.getByRole('cell', { name: '1', exact: true }));
    const mark = () => articles.evaluateAll((all) => all.map((one) => (one as unknown as { mark?: string }).mark ?? ''));
    await articles.evaluateAll((all) => {
      for (const [at, one] of all.entries()) Object.assign(one, { mark: `widget ${at}` });
    });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await isSeen(page.locator('[data-resize]'));
    expect(await mark()).toEqual(['widget 0', 'widget 1']);
    await shot('editing');

    const grip = page.getByRole('button', { name: 'Move Text' });
    const box = await grip.boundingBox();
    if (!box) throw new Error('The handle is not on the screen.');
    await page.mouse.move(box.x + 8, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x - 700, box.y + 60, { steps: 8 });
    await page.mouse.up();
    const place = async () =>
      (await client().get(dashboardsApi.get, { params: { id: String(board.id) } })).widgets.at(-1)?.options.position;
    await soon(place).toMatchObject({ col: 0 });
    await page.getByRole('button', { name: 'Done Editing' }).click();
    await isGone(page.locator('[data-resize]').first());
    expect((await mark()).toSorted()).toEqual(['widget 0', 'widget 1']);

    const shown = () => page.getByRole('article').locator('h2').first().innerText();
    await soon(shown).toContain('Steady with a very l…');
    await client().get(organizationApi.saveSettings, { body: { widget_title_length: 0 } });
    await page.reload();
    await soon(shown).toBe('Steady with a very long title');
    await client().get(organizationApi.saveSettings, { body: { widget_title_length: 20 } });
  }),
);

test(
  'issue 20: a widget that follows new readings shows them without anybody asking',
  here('dashboards-now-follow', async ({ page, shot }) => {
    const { api_key } = await aDevice('now-shed', 'now-1');
    const session = await connect('now-shed', 'now-1', api_key);
    const board = await makeBoard(
      'Following',
      "select value from app.metric_last where channel_id = 'now-shed' and attribute = 'temperature'",
    );
    const send = (temperature: number) => session.publishAsync('v1/now-shed/devices/now-1/up', JSON.stringify({ temperature }), { qos: 1 });
    await send(11.25);
    await page.goto(board.url);
    const widget = page.getByRole('article', { name: /Following/ });
    await isSeen(widget.getByText('11.25'));
    await widget.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Follow new readings' }).click();
    await isSeen(widget.getByText('Live', { exact: true }));
    await send(22.5);
    await isSeen(widget.getByText('22.50'));
    await send(33.75);
    await isSeen(widget.getByText('33.75'));
    await shot('live');
    const { widgets } = await client().get(dashboardsApi.get, { params: { id: String(board.id) } });
    expect(widgets.find(({ id }) => id === board.widget.id)?.options.follows_readings).toBe(true);
  }),
);

test(
  'issue 20: devices are tagged and filtered; on a phone twenty of them fit on four screens, the state first',
  here('dashboards-now-devices', async ({ page, visit, shot }) => {
    for (let n = 1; n <= 20; n++) await aDevice('now-fleet', `fleet-${String(n).padStart(2, '0')}`);
    await client().get(devicesApi.save, { params: { id: 'now-fleet', deviceId: 'fleet-07' }, body: { tags: ['roof'] } });
    await page.goto('/mqtt/now-fleet/devices/fleet-08');
    await page.getByRole('button', { name: /Edit tags/ }).click();
    const tags = dialog(page, 'Add/Edit Tags');
    await tags.getByRole('combobox').fill('cellar');
    await page.keyboard.press('Enter');
    await tags.getByRole('button', { name: 'OK' }).click();
    await isSeen(page.getByRole('link', { name: 'cellar' }));
    await page.getByRole('link', { name: 'cellar' }).click();
    const rows = page.getByRole('table', { name: 'Devices' }).locator('tbody tr');
    await soon(() => rows.allInnerTexts()).toEqual([expect.stringContaining('fleet-08')]);
    await page.goto('/mqtt/now-fleet?tags=roof');
    await soon(() => rows.allInnerTexts()).toEqual([expect.stringContaining('fleet-07')]);
    await shot('tagged');
    for (const name of ['Name', 'Api Key', 'Created At']) await isSeen(page.getByRole('columnheader', { name }));

    const phone = await visit({ as: account, url: url(), width: 390, height: 844 });
    await phone.page.goto('/mqtt/now-fleet');
    await soon(() => phone.page.getByRole('table', { name: 'Devices' }).locator('tbody tr').count()).toBe(20);
    expect(await phone.page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(4 * 844);
    expect(await phone.page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    const first = phone.page.getByRole('table', { name: 'Devices' }).locator('tbody tr').first();
    await soon(() => first.innerText()).toMatch(/^Silent/);
    await phone.shot('phone');
  }),
);
