import type { GalleryCase } from '../gallery/galleryCase.ts';

const countries =
  'JP KR CN IN ID AU NZ TH VN SG MY PH US CA MX BR AR CL CO PE GB FR DE ES IT PL NO SE FI TR EG NG ZA KE MA SA IR PK KZ RU UA'.split(' ');
const prefectures =
  '北海道 青森県 宮城県 東京都 神奈川県 千葉県 埼玉県 静岡県 愛知県 新潟県 長野県 京都府 大阪府 兵庫県 広島県 岡山県 香川県 高知県 福岡県 熊本県 鹿児島県 沖縄県'.split(
    ' ',
  );
const numberOf = (at: number) => Math.round(((at * 7919) % 1000) + (at % 7) * 250);

const shared = { type: 'CHOROPLETH', height: 360 } as const;

export const galleryCases: GalleryCase[] = [
  {
    ...shared,
    name: 'countries',
    note: 'Columns found by their values.',
    options: {},
    make: () => ({
      columns: [
        { name: 'country', type: 'string' },
        { name: 'devices', type: 'integer' },
      ],
      rows: countries.map((country, at) => ({ country, devices: numberOf(at) })),
    }),
  },
  {
    ...shared,
    name: 'japan',
    note: 'Prefectures by their own names, quantiles, legend on the right.',
    options: {
      mapType: 'subdiv_japan',
      keyColumn: 'prefecture',
      targetField: 'name_local',
      valueColumn: 'uplinks',
      clusteringMode: 'q',
      steps: 7,
      valueFormat: '0,0',
      colors: { min: '#FFE8CC', max: '#D9480F' },
      legend: { position: 'bottom-right', alignText: 'left' },
    },
    // The names are not drawn, so the picture does not depend on a Japanese font.
    make: () => ({
      columns: [
        { name: 'prefecture', type: 'string' },
        { name: 'uplinks', type: 'integer' },
      ],
      rows: prefectures.map((prefecture, at) => ({ prefecture, uplinks: numberOf(at) })),
    }),
  },
  {
    ...shared,
    name: 'older',
    note: 'Options of an older version, a stored view, keys that no country has.',
    options: {
      countryCodeColumn: 'code',
      countryCodeType: 'iso_a3',
      valueColumn: 'value',
      clusteringMode: 'k',
      bounds: [
        [34, -12],
        [62, 34],
      ],
      legend: { visible: true, position: 'top-right' },
    },
    make: () => ({
      columns: [
        { name: 'code', type: 'string' },
        { name: 'value', type: 'float' },
      ],
      rows: ['FRA', 'DEU', 'ITA', 'ESP', 'POL', 'GBR', 'SWE', 'XXX', 'EUR'].map((code, at) => ({ code, value: at * at * 1.5 })),
    }),
  },
  {
    ...shared,
    name: 'usa',
    note: 'States by their abbreviation, without a legend, other colours.',
    options: {
      mapType: 'usa',
      legend: { visible: false },
      colors: { noValue: '#FFF3BF', borders: '#868E96', min: '#B2F2BB', max: '#2B8A3E' },
    },
    make: () => ({
      columns: [
        { name: 'state', type: 'string' },
        { name: 'gateways', type: 'integer' },
      ],
      rows: 'CA TX NY FL WA CO IL GA AK HI MN AZ NV ME'.split(' ').map((state, at) => ({ state, gateways: numberOf(at) })),
    }),
  },
];
