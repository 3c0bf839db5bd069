import { describe, expect, test } from 'vitest';
import { commonTileSources, isGone, isTileUrl, noTileUrl, storedTileUrl, TileSource, tileSourceOf } from './map-tiles.ts';

const own = { name: 'Our own', url: 'https://tiles.example.org/{z}/{x}/{y}.png', attribution: '© us' };

describe('11: addresses of tiles', () => {
  test.each([
    'https://a.example/{z}/{x}/{y}.png',
    'http://10.0.0.1:8080/{z}/{x}/{-y}.png',
    '//{s}.tile.example/{z}/{x}/{y}{r}.png?apikey=1',
    '/tiles/{z}/{x}/{y}.png',
  ])('%s is one', (url) => expect(isTileUrl(url)).toBe(true));

  test.each([
    '',
    'https://a.example/map.png',
    'javascript:alert(1)//{z}{x}{y}',
    'data:image/svg+xml,{z}{x}{y}',
    'https://user:secret@a.example/{z}/{x}/{y}.png',
    'ftp://a/{z}/{x}/{y}',
    `https://a.example/${'x'.repeat(1000)}/{z}/{x}/{y}`,
  ])('%s is none', (url) => expect(isTileUrl(url)).toBe(false));

  test('every offered source is a valid one, and alive', () => {
    for (const source of commonTileSources) {
      expect(TileSource.parse(source)).toEqual(source);
      expect(isGone(source.url)).toBe(false);
    }
  });
});

describe('11 and complaint 45: which source is drawn', () => {
  const [first] = commonTileSources;

  test.each([
    ['what nobody changed', storedTileUrl],
    ['the same with a protocol', 'http://{s}.tile.openstreetmap.org/{z}/{x}/{y}.png'],
    ['Stamen Toner', '//stamen-tiles-{s}.a.ssl.fastly.net/toner/{z}/{x}/{y}.png'],
    ['OSM BW', '//{s}.tiles.wmflabs.org/bw-mapnik/{z}/{x}/{y}.png'],
    ['Thunderforest without a key', '//{s}.tile.thunderforest.com/cycle/{z}/{x}/{y}.png'],
    ['nonsense', 'javascript:alert(1)'],
  ])('%s is the first of the organisation', (_, url) => {
    expect(tileSourceOf(url, commonTileSources)).toEqual(first);
    expect(tileSourceOf(url, [own])).toEqual(own);
  });

  test('an address of a known source, however it is written', () => {
    expect(tileSourceOf('//{s}.tile.openstreetmap.de/{z}/{x}/{y}.png', commonTileSources)?.name).toBe('OpenStreetMap DE');
    expect(tileSourceOf('//{s}.tile.opentopomap.org/{z}/{x}/{y}.png', commonTileSources)?.name).toBe('OpenTopoMap');
  });

  test('an address of somebody’s own', () => {
    expect(tileSourceOf(own.url, commonTileSources)).toEqual({ name: 'Custom', url: own.url, attribution: '' });
  });

  test('no pictures: chosen, or an organisation that asks nobody', () => {
    expect(tileSourceOf(noTileUrl, commonTileSources)).toBeNull();
    expect(tileSourceOf(own.url, [])).toBeNull();
  });
});
