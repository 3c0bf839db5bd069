import type { StoredOptions } from '../define.ts';
import { column, rowsOf, wave } from '../gallery/fixedData.ts';
import type { GalleryCase } from '../gallery/galleryCase.ts';

const moment = (at: number, minutes = 30) => new Date(Date.UTC(2024, 1, 9) + at * minutes * 60_000).toISOString();
const rooms = ['boiler house', 'cold store', 'roof'];

const readings = (count: number) => ({
  columns: [column('time', 'datetime'), column('room', 'string'), column('temperature', 'float'), column('humidity', 'integer')],
  rows: rowsOf(count * 3, (at) => {
    const step = Math.floor(at / 3);
    const room = at % 3;
    return {
      time: moment(step),
      room: rooms[room],
      temperature: Math.round((14 + room * 6 + Math.sin(step / 8) * 4 + wave(at) * 2) * 100) / 100,
      humidity: Math.round(40 + Math.cos(step / 11 + room) * 15 + wave(at + 7) * 6),
    };
  }),
});

const months = () => ({
  columns: [
    column('month', 'string'),
    column('heating', 'float'),
    column('cooling', 'float'),
    column('solar', 'float'),
    column('error', 'float'),
    column('devices', 'integer'),
  ],
  rows: rowsOf(8, (at) => ({
    month: `M0${at + 1}`,
    heating: Math.round(900 - at * 95 + wave(at) * 60),
    cooling: at === 2 ? null : Math.round(120 + at * 60 + wave(at + 3) * 40),
    solar: -Math.round(80 + at * 40),
    error: Math.round(30 + wave(at + 5) * 60),
    devices: 3 + Math.round(wave(at + 9) * 40),
  })),
});

const fleet = (count: number) => ({
  columns: [column('time', 'datetime'), column('device_id', 'string'), column('temperature', 'float')],
  rows: rowsOf(count * 48, (at) => {
    const step = Math.floor(at / count);
    const device = at % count;
    return {
      time: new Date(Date.UTC(2024, 1, 9) + step * 1_800_015).toISOString(),
      device_id: `cold-store-north-${String(device + 1).padStart(2, '0')}`,
      temperature: step === 20 && device % 7 === 0 ? null : -22 + device * 0.8 + Math.sin(step / 7 + device) * 2 + wave(at),
    };
  }),
});

const byMonth = { month: 'x', heating: 'y', cooling: 'y' };
const byTime = { time: 'x', temperature: 'y', room: 'series' };

const chart = (
  name: string,
  note: string,
  options: StoredOptions,
  make: GalleryCase['make'],
  more: Partial<GalleryCase> = {},
): GalleryCase => ({
  name,
  note,
  type: 'CHART',
  options,
  make,
  height: 280,
  ...more,
});

export const galleryCases: GalleryCase[] = [
  chart(
    'thirty-series',
    'Thirty devices: colours and dashes, which the legend repeats with last, least and greatest.',
    { globalSeriesType: 'line', columnMapping: { time: 'x', temperature: 'y', device_id: 'series' }, missingValuesAsZero: false },
    () => fleet(30),
    { width: 1000, height: 420 },
  ),
  chart(
    'thirty-series-phone',
    'The same on a phone: the legend has a third.',
    { globalSeriesType: 'line', columnMapping: { time: 'x', temperature: 'y', device_id: 'series' }, missingValuesAsZero: false },
    () => fleet(30),
    { width: 366, height: 380 },
  ),
  chart('long-names', 'Names that differ at their end are told apart.', { columnMapping: { device_id: 'x', temperature: 'y' } }, () => ({
    columns: [column('device_id', 'string'), column('temperature', 'float')],
    rows: rowsOf(14, (at) => ({ device_id: `warehouse-rotterdam-cold-store-${at + 10}`, temperature: 4 + wave(at) * 5 })),
  })),
  chart('new', 'Nothing is stored: the first mapping is inferred.', {}, () => readings(48)),
  chart('line', 'Three series over time.', { globalSeriesType: 'line', columnMapping: byTime }, () => readings(96), { width: 720 }),
  chart(
    'two-axes',
    'Temperature on the left, humidity as dots on the right.',
    {
      globalSeriesType: 'line',
      columnMapping: { time: 'x', temperature: 'y', humidity: 'y' },
      seriesOptions: { humidity: { yAxis: 1, type: 'scatter', name: 'Humidity, %' }, temperature: { name: 'Temperature, °C' } },
      yAxis: [
        { type: 'linear', title: { text: 'Temperature, °C' } },
        { type: 'linear', opposite: true, title: { text: 'Humidity, %' } },
      ],
      xAxis: { type: 'datetime', labels: { enabled: true }, title: { text: 'Time (UTC)' } },
      legend: { enabled: true, placement: 'below' },
    },
    () => ({ ...readings(96), rows: readings(96).rows.filter((_, at) => at % 3 === 0) }),
  ),
  chart('column', 'Two measures, with data labels.', { columnMapping: byMonth, showDataLabels: true }, months),
  chart(
    'stacked',
    'Stacked bars with negatives, and a line that is not.',
    {
      columnMapping: { month: 'x', heating: 'y', cooling: 'y', solar: 'y', devices: 'y' },
      series: { stacking: 'stack' },
      seriesOptions: { devices: { type: 'line', yAxis: 1 } },
    },
    months,
  ),
  chart(
    'percent',
    'Normalized to percentage, stored in the shape of before.',
    { columnMapping: byMonth, series: { stacking: 'percent' }, legend: { enabled: true, traceorder: 'reversed' } },
    months,
  ),
  chart(
    'horizontal',
    'Lying on its side, with errors.',
    { columnMapping: { ...byMonth, error: 'yError' }, swappedAxes: true, xAxis: { type: 'category', title: 'Month' } },
    months,
  ),
  chart('area', 'Stacked areas over time.', { globalSeriesType: 'area', columnMapping: byTime, series: { stacking: 'stack' } }, () =>
    readings(96),
  ),
  chart(
    'gaps',
    'Missing values are not drawn; a step, a spline.',
    {
      globalSeriesType: 'line',
      columnMapping: { t: 'x', a: 'y', b: 'y' },
      missingValuesAsZero: false,
      lineShape: 'hv',
      error_y: { type: 'data', visible: true },
    },
    () => ({
      columns: [column('t', 'datetime'), column('a', 'float'), column('b', 'float')],
      rows: rowsOf(40, (at) => ({
        t: moment(at),
        a: at % 9 === 4 || at % 9 === 6 ? null : wave(at) * 10,
        b: at < 20 ? null : 4 + wave(at + 3) * 3,
      })),
    }),
  ),
  chart(
    'pie',
    'One pie per measure, slices of the same month in the same colour.',
    { globalSeriesType: 'pie', columnMapping: byMonth },
    months,
  ),
  chart(
    'scatter',
    'Four hundred points in three groups.',
    {
      globalSeriesType: 'scatter',
      columnMapping: { temperature: 'x', humidity: 'y', room: 'series' },
      xAxis: { title: { text: 'Temperature, °C' } },
    },
    () => readings(133),
  ),
  chart(
    'bubble',
    'Size by a column, labels by a template.',
    {
      globalSeriesType: 'bubble',
      columnMapping: { heating: 'x', cooling: 'y', devices: 'size' },
      coefficient: 1.4,
      textFormat: '{{ month }}: {{ devices }} devices',
    },
    months,
  ),
  chart(
    'heatmap',
    'Rooms by hour.',
    {
      globalSeriesType: 'heatmap',
      columnMapping: { hour: 'x', room: 'y', temperature: 'zVal' },
      showDataLabels: true,
      colorScheme: 'Viridis',
      numberFormat: '0',
    },
    () => ({
      columns: [column('hour', 'integer'), column('room', 'string'), column('temperature', 'float')],
      rows: rowsOf(24 * 5, (at) => ({
        hour: Math.floor(at / 5),
        room: [...rooms, 'loading bay', 'green house 2'][at % 5],
        temperature: Math.round((12 + (at % 5) * 3 + Math.sin(at / 19) * 5 + wave(at)) * 10) / 10,
      })),
    }),
    { width: 720 },
  ),
  chart(
    'box',
    'Quartiles per room, two measures.',
    { globalSeriesType: 'box', columnMapping: { room: 'x', temperature: 'y', humidity: 'y' }, showpoints: true },
    () => readings(60),
  ),
  chart(
    'log',
    'A logarithmic axis with ticks of its own and a reversed time.',
    {
      globalSeriesType: 'scatter',
      columnMapping: { t: 'x', lux: 'y' },
      yAxis: [{ type: 'logarithmic', tickFormat: '~s', title: { text: 'Light, lx' } }],
      xAxis: { type: '-', tickFormat: '%d %b %H:%M', labels: { enabled: true } },
      reverseX: true,
    },
    () => ({
      columns: [column('t', 'datetime'), column('lux', 'float')],
      rows: rowsOf(120, (at) => ({ t: moment(at), lux: 10 ** (Math.max(0, Math.sin(at / 8)) * 5 + wave(at)) })),
    }),
  ),
  chart('empty', 'No rows: empty axes.', { globalSeriesType: 'line', columnMapping: byTime }, () => ({ ...readings(0), rows: [] }), {
    height: 160,
  }),
  chart(
    'lost',
    'A mapped column is gone.',
    { globalSeriesType: 'line', columnMapping: { gone: 'x', temperature: 'y' } },
    () => readings(20),
    { height: 160 },
  ),
  chart('custom', 'Code is never run.', { globalSeriesType: 'custom', customCode: 'window.hacked = 1' }, months, { height: 160 }),
  chart(
    'hostile',
    'Markup, quotes, dots and a very long cell in names and values.',
    { columnMapping: { '<img src=x onerror="window.hacked=1">': 'x', 'a.b"c': 'y', '漢字 🌊': 'y' }, showDataLabels: true },
    () => ({
      columns: [column('<img src=x onerror="window.hacked=1">', 'string'), column('a.b"c', 'float'), column('漢字 🌊', null)],
      rows: rowsOf(12, (at) => ({
        '<img src=x onerror="window.hacked=1">':
          at === 3 ? 'x'.repeat(100_000) : at === 4 ? null : `<script>window.hacked=1</script> ${at}`,
        'a.b"c': at === 5 ? 'NaN' : at === 6 ? { nested: 1 } : at * 1.5,
        '漢字 🌊': [1, '2', null, true, Number.NaN, 'text', '7 %', '$1,200.50', [], 3, 4, 5][at],
      })),
    }),
    { isPictured: false },
  ),
  chart(
    'million',
    'A million points: peaks are kept, zooming finds the rest.',
    { globalSeriesType: 'line', columnMapping: { time: 'x', value: 'y' } },
    () => ({
      columns: [column('time', 'datetime'), column('value', 'float')],
      rows: rowsOf(1_000_000, (at) => ({ time: new Date(Date.UTC(2023, 0, 1) + at * 31_000).toISOString(), value: millionth(at) })),
    }),
    { height: 480, width: 1200, isHeavy: true },
  ),
  chart(
    'million-markers',
    'A million markers in no order: of those that cover each other one is drawn.',
    { globalSeriesType: 'scatter', columnMapping: { a: 'x', b: 'y', room: 'series' } },
    () => ({
      columns: [column('a', 'float'), column('b', 'float'), column('room', 'string')],
      rows: rowsOf(1_000_000, (at) => ({ a: wave(at) * 50 + (at % 3) * 20, b: (wave(at + 5) + wave(at + 9)) * 40, room: rooms[at % 3] })),
    }),
    { height: 480, width: 1200, isHeavy: true },
  ),
  chart(
    'many-categories',
    'A hundred thousand names as stacked bars.',
    { columnMapping: { device: 'x', messages: 'y', errors: 'y' }, series: { stacking: 'stack' } },
    () => ({
      columns: [column('device', 'string'), column('messages', 'integer'), column('errors', 'integer')],
      rows: rowsOf(100_000, (at) => ({
        device: `sensor-${(at * 7919) % 100_000}`,
        messages: Math.round(wave(at) * 900),
        errors: at % 9999 === 5 ? 2000 : Math.round(wave(at + 3) * 40),
      })),
    }),
    { height: 480, width: 1200, isHeavy: true },
  ),
];

const millionth = (at: number): number =>
  Math.round((20 + Math.sin(at / 80_000) * 8 + Math.sin(at / 1440) * 3 + wave(at) * 2 + (at % 200_003 === 77 ? 40 : 0)) * 100) / 100;
