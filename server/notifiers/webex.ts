import { optionalText, requiredSecret } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import type { Notice } from './notice.ts';
import { defineNotifier } from './notifier.ts';
import { postJson } from './post.ts';
import { listedIn, sendToEach } from './send-to-each.ts';
import { textOf, titleOf, urlOf } from './words.ts';

const address = 'https://webexapis.com';
/** Webex refuses messages of more than 7439 bytes; a character has up to four. */
const longest = 1800;
/** A card with more cells is refused for its size. */
const mostRows = 20;
const mostColumns = 8;

/** A value must not call anybody: `<@all>` in the text would notify the whole room. */
const withoutMentions = (text: string) => text.replaceAll('<@', '&lt;@');

const Table = z.array(z.array(z.unknown())).min(1);

/** server-behaviour 15.3: a table in the text, as QUERY_RESULT_TABLE writes it, is shown as columns. */
function cutOutTable(text: string): { before: string; rows: unknown[][]; after: string } {
  const [from, to] = [text.indexOf('[['), text.lastIndexOf(']]') + 2];
  if (from === -1 || to <= from) return { before: text, rows: [], after: '' };
  try {
    return { before: text.slice(0, from).trim(), rows: Table.parse(JSON.parse(text.slice(from, to))), after: text.slice(to).trim() };
  } catch {
    // Two brackets do not make a table; the text stays as it is.
    return { before: text, rows: [], after: '' };
  }
}

const cellText = (value: unknown) =>
  (value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 100);
const textBlock = (text: string, more = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });

function columnsOf(rows: unknown[][]) {
  const width = Math.min(Math.max(...rows.map(({ length }) => length)), mostColumns);
  const column = (index: number) => ({
    type: 'Column',
    width: 'stretch',
    items: rows.slice(0, mostRows).map((row) => textBlock(cellText(row[index] ?? null))),
  });
  return { type: 'ColumnSet', columns: Array.from({ length: width }, (_, index) => column(index)) };
}

function cardOf(notice: Notice) {
  const { before, rows, after } = cutOutTable(textOf(notice));
  const query = notice.event === 'alert_state_change' ? notice.query : null;
  const link = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url });
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.0',
    body: [
      textBlock(titleOf(notice), { weight: 'bolder', size: 'medium' }),
      ...(before ? [textBlock(before.slice(0, longest))] : []),
      ...(rows.length > 0 ? [columnsOf(rows)] : []),
      ...(after ? [textBlock(after.slice(0, longest))] : []),
    ],
    actions: [link(notice.event === 'alert_state_change' ? 'Alert' : 'Open', urlOf(notice)), ...(query ? [link('Query', query.url)] : [])],
  };
}

export const webex = defineNotifier({
  type: 'webex',
  name: 'Webex',
  icon: 'fa-webex',
  options: z.strictObject({
    webex_bot_token: requiredSecret('Bot Token'),
    to_person_emails: optionalText('People', { example: 'ann@example.com', info: 'E-mail addresses separated by commas.' }),
    to_room_ids: optionalText('Rooms', { info: 'Room IDs separated by commas.' }),
    url: optionalText('Address of the API', { example: address, extra: true }),
  }),
  addressOf: ({ url }) => url ?? address,
  faultOf: ({ to_person_emails = '', to_room_ids = '' }) =>
    listedIn(`${to_person_emails},${to_room_ids}`).length === 0 ? 'At least one person or room is needed.' : undefined,
  send: ({ webex_bot_token, to_person_emails = '', to_room_ids = '', url = address }, notice, env) => {
    const message = {
      // Programs that cannot show cards show this text instead.
      markdown: withoutMentions(`${titleOf(notice)}\n\n${textOf(notice)}`.slice(0, longest)),
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: cardOf(notice) }],
    };
    const people = new Set(listedIn(to_person_emails));
    return sendToEach(env, [...people, ...listedIn(to_room_ids)], (target) =>
      postJson(
        env,
        `${url.replace(/\/+$/, '')}/v1/messages`,
        { ...(people.has(target) ? { toPersonEmail: target } : { roomId: target }), ...message },
        { authorization: `Bearer ${webex_bot_token}` },
      ),
    );
  },
});
