import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { column, moment, rooms, rowsOf, wave } from '../gallery/fixedData.ts';
import type { GalleryCase } from '../gallery/galleryCase.ts';

const reading = (at: number): ResultRow => ({
  time: moment(at),
  device: `sensor-${String(at % 997).padStart(4, '0')}`,
  room: rooms[at % rooms.length],
  temperature: at % 31 === 7 ? null : Math.round((18 + wave(at) * 9) * 100) / 100,
  humidity: Math.round(35 + wave(at + 5) * 40),
  battery: Math.round(wave(at + 9) * 1000) / 10,
  online: at % 11 !== 3,
});
const readingColumns = [
  column('time', 'datetime'),
  column('device', 'string'),
  column('room', 'string'),
  column('temperature', 'float'),
  column('humidity', 'integer'),
  column('battery', 'float'),
  column('online', 'boolean'),
];

const picture = (at: number) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="80" height="24"><rect width="80" height="24" rx="4" fill="#1971C2" fill-opacity=".15"/><rect width="${8 + wave(at) * 72}" height="24" rx="4" fill="#1971C2"/></svg>`)}`;

export const galleryCases: GalleryCase[] = [
  {
    name: 'readings',
    width: 760,
    note: 'What most results look like; search, a description, small pager as in a widget.',
    type: 'TABLE',
    context: 'widget',
    options: {
      itemsPerPage: 5,
      columns: [
        { name: 'time' },
        { name: 'device', title: 'Device', allowSearch: true },
        { name: 'room', title: 'Room', allowSearch: true },
        { name: 'temperature', title: 'Temperature, °C', numberFormat: '0.0', description: 'Mean of the last minute' },
        { name: 'humidity', title: 'Humidity, %' },
        { name: 'battery', title: 'Battery', numberFormat: '0%' },
        { name: 'online', booleanValues: ['no', 'yes'] },
      ],
    },
    make: () => ({ columns: readingColumns, rows: rowsOf(240, reading) }),
  },
  {
    name: 'kinds',
    width: 1400,
    isPictured: false,
    note: 'Every way to display a column.',
    type: 'TABLE',
    options: {
      itemsPerPage: 25,
      columns: [
        { name: 'text' },
        { name: 'html', allowHTML: true, highlightLinks: true },
        { name: 'number', numberFormat: '0,0.00' },
        { name: 'bytes', title: 'Bytes', numberFormat: '0.0 ib' },
        { name: 'big' },
        { name: 'datetime' },
        { name: 'boolean' },
        {
          name: 'link',
          displayAs: 'link',
          linkUrlTemplate: '/devices/{{ @ }}',
          linkTextTemplate: 'Device {{ @ }}',
          linkTitleTemplate: '{{ text }}',
        },
        { name: 'image', displayAs: 'image', imageWidth: '80', imageHeight: '24', imageTitleTemplate: 'Level of {{ link }}' },
        { name: 'json', displayAs: 'json' },
        { name: 'mixed' },
      ],
    },
    make: () => ({
      columns: [
        column('text', 'string'),
        column('html', 'string'),
        column('number', 'float'),
        column('bytes', 'integer'),
        column('big', 'integer'),
        column('datetime', 'datetime'),
        column('boolean', 'boolean'),
        column('link', 'integer'),
        column('image', 'string'),
        column('json', null),
        column('mixed', null),
      ],
      rows: rowsOf(6, (at) => ({
        text: ['plain', 'a longer text that says what happened and what to do about it', 'two\nlines', '', null, 'ünïcödé 漢字 🌊'][at],
        html: [
          '<b>bold</b> and <span style="background:#E8590C;color:#fff;padding:0 6px;border-radius:4px;position:fixed">alarm</span>',
          'see https://example.org/a?b=1 for more',
          '<ul><li>one</li><li>two</li></ul>',
          '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>safe',
          '<a href="javascript:window.hacked=1">no link</a> <a href="https://example.org" target="_blank">link</a>',
          null,
        ][at],
        number: [1234.5, -0.004, 'not a number', null, 98_765_432.1, 0][at],
        bytes: 3072 * 40 ** at,
        big: `1234567890123456789${at}`,
        datetime: at === 4 ? 'yesterday' : moment(at * 4000),
        boolean: [true, false, null, 1, '', undefined][at],
        link: 100 + at,
        image: picture(at),
        json:
          at === 5
            ? '{"broken": '
            : { device: `s-${at}`, position: { lat: 51.5, lon: -0.1 }, tags: rooms.slice(0, at), ok: true, note: null },
        mixed: [1, 'text', null, true, { nested: [1, 2] }, 2.5][at],
      })),
    }),
  },
  {
    name: 'texts',
    width: 760,
    note: 'Text of any length, in as many lines as it needs.',
    type: 'TABLE',
    context: 'widget',
    options: {
      itemsPerPage: 5,
      columns: [{ name: 'time' }, { name: 'level' }, { name: 'message' }, { name: 'origin' }, { name: 'value' }],
    },
    make: () => ({
      columns: [
        column('time', 'datetime'),
        column('level', 'string'),
        column('message', 'string'),
        column('origin', 'string'),
        column('value', 'float'),
      ],
      rows: rowsOf(5, (at) => ({
        time: moment(at),
        level: ['info', 'warning', 'info', 'error', 'info'][at],
        message: [
          'Started.',
          'The gateway has not reported for eleven minutes. Its last message had a signal of -117 dBm, which is 9 dB below the mean of the week; the antenna may have moved, or somebody has parked in front of it.',
          null,
          'Decoder failed:\nTypeError: bytes[7] is undefined\n  at decode (line 14)',
          'Stopped.',
        ][at],
        origin: [
          'gateway-01',
          'gateway-01',
          'https://example.org/networks/42/devices/0004a30b001c0530/uplinks?after=2024-02-09',
          'dec',
          null,
        ][at],
        value: at === 2 ? null : Math.round(wave(at) * 10_000) / 100,
      })),
    }),
  },
  {
    name: 'empty',
    note: 'Columns and a sentence.',
    type: 'TABLE',
    options: {},
    make: () => ({ columns: readingColumns, rows: [] }),
  },
  {
    name: 'filters',
    note: 'One value, several values, moments.',
    type: 'TABLE',
    options: { itemsPerPage: 5 },
    make: () => ({
      columns: [
        column('room::multi-filter', 'string'),
        column('online__filter', 'boolean'),
        column('time', 'datetime'),
        column('value', 'float'),
      ],
      rows: rowsOf(60, (at) => ({
        'room::multi-filter': rooms[at % 5],
        online__filter: at % 3 !== 0,
        time: moment(at),
        value: wave(at) * 100,
      })),
    }),
  },
  {
    name: 'odd',
    isPictured: false,
    note: 'Names and values that break other tables.',
    type: 'TABLE',
    options: {},
    make: () => {
      const names = ['a.b.c', 'with "quotes"', "it's", '漢字 🌊', '__proto__', 'constructor', '', 'a::b', '<b>x</b>', 'x'.repeat(120)];
      const row = (at: number): ResultRow =>
        JSON.parse(`{${names.map((name, place) => `${JSON.stringify(name)}: ${JSON.stringify(`${at}-${place}`)}`)}}`);
      return {
        columns: [...names.map((name) => column(name, 'string')), column('long', 'string')],
        rows: rowsOf(4, (at) => ({ ...row(at), long: `${at} ${'lorem ipsum '.repeat(9000)}` })),
      };
    },
  },
  {
    name: 'wide',
    isHeavy: true,
    width: 1200,
    note: '500 columns, 500 rows on one page.',
    type: 'TABLE',
    height: 480,
    options: { itemsPerPage: 500 },
    make: () => ({
      columns: Array.from({ length: 500 }, (_, at) => column(`column ${at}`, 'float')),
      rows: rowsOf(500, (at) =>
        Object.fromEntries(Array.from({ length: 500 }, (_, place) => [`column ${place}`, wave(at * 7 + place) * 10_000])),
      ),
    }),
  },
  {
    name: 'million',
    isHeavy: true,
    width: 1200,
    note: 'A million rows on one page.',
    type: 'TABLE',
    height: 640,
    options: { itemsPerPage: 1_000_000_000, columns: [{ name: 'time' }, { name: 'device', allowSearch: true }] },
    make: () => ({ columns: readingColumns, rows: rowsOf(1_000_000, reading) }),
  },
  {
    name: 'broken',
    note: 'A row that cannot be read breaks its own picture only.',
    type: 'TABLE',
    options: {},
    make: () => ({
      columns: [column('a', 'integer')],
      rows: [
        {
          get a(): number {
            throw new Error('This value cannot be read.');
          },
        },
      ],
    }),
  },
  {
    name: 'unknown',
    note: 'A kind that this console does not know.',
    type: 'HOLOGRAM',
    options: {},
    make: () => ({ columns: [], rows: [] }),
  },
];
