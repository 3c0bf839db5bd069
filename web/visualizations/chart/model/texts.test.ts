import { describe, expect, test } from 'vitest';
import { commonSettings } from '../../displaySettings.ts';
import { autoText, linkOf, linkTo, mentions, type PointFacts, pointText, textsOf } from './texts.ts';

const facts: PointFacts = { name: 'a', x: '1', y: '10', row: { 'my column': 'z', n: null, o: { p: 1 } } };

describe('visualizations 5.9: texts of points', () => {
  test.each<[Partial<PointFacts>, string]>([
    [{}, '10'],
    [{ error: '0' }, '10 ± 0'],
    [{ error: '0', percent: '20%' }, '20% (10 ± 0)'],
    [{ error: '0', size: '51' }, '10 ± 0: 51'],
    [{ percent: '5%' }, '5% (10)'],
  ])('%j', (more, text) => {
    expect(autoText({ ...facts, ...more })).toBe(text);
    expect(pointText('', { ...facts, ...more })).toBe(text);
  });

  test.each([
    ['{{ @@name }} {{@@x}} = {{ @@y }}', 'a 1 = 10'],
    ['{{ my column }} {{ [my column] }}', 'z z'],
    ['{{ n }}{{ o }}', '{"p":1}'],
    ['{{ unknown }} {{ @@unknown }}', '{{ unknown }} {{ @@unknown }}'],
    ['[{{ @@yPercent }}{{ @@yError }}{{ @@size }}]', '[]'],
    ['{{ constructor }}', '{{ constructor }}'],
  ])('%j', (template, text) => {
    expect(pointText(template, facts)).toBe(text);
  });

  test('what a template says itself is not said twice', () => {
    expect(mentions('{{@@x}}', '@@x')).toBe(true);
    expect(mentions('{{ @@x1 }}', '@@x')).toBe(false);
  });

  test('formats of the chart, separators of the organisation', () => {
    const settings = { ...commonSettings, thousandsSeparator: '.', decimalSeparator: ',', nullValue: '–' };
    const texts = textsOf({ numberFormat: '0,0.0', percentFormat: '0%', dateTimeFormat: 'YYYY', textFormat: '' }, settings);
    expect(texts.number(1234.56)).toBe('1.234,6');
    expect(texts.percent(12.3)).toBe('12%');
    expect(texts.raw('2024-05-05T00:00:00Z', true)).toBe('2024');
    expect(texts.raw(null, false)).toBe('–');
    expect(texts.raw({ a: 1 }, false)).toBe('{"a":1}');
    expect(texts.raw('x'.repeat(100_000), false).length).toBeLessThan(300);
    expect(texts.place(1, { type: 'category', categories: ['a', true] }, false)).toBe('true');
  });
});

describe('visualizations 5.14: a click leads somewhere', () => {
  const points = [
    { x: 'a b', y: '1' },
    { x: 'c', y: '2' },
  ];
  test.each([
    ['/d/{{ @@x }}?y={{@@y}}', '/d/a%20b?y=1'],
    ['{{ @@x1 }}{{ @@y1 }}{{ @@x2 }}{{ @@y2 }}{{ @@x3 }}{{ @@x0 }}{{ other }}', 'a%20b1c2'],
  ])('%j is %j', (template, address) => {
    expect(linkOf(template, points)).toBe(address);
  });

  test('never to a script, and only when it is switched on', () => {
    const on = { enableLink: true, linkOpenNewTab: true, linkFormat: '/d/{{ @@x }}' };
    expect(linkTo(on, points)).toEqual({ address: '/d/a%20b', target: '_blank' });
    expect(linkTo({ ...on, linkOpenNewTab: false }, points)?.target).toBe('_self');
    expect(linkTo({ ...on, enableLink: false }, points)).toBeNull();
    expect(linkTo({ ...on, linkFormat: 'javascript:alert({{ @@x }})' }, points)).toBeNull();
    expect(linkTo({ ...on, linkFormat: '{{ @@x }}' }, [{ x: 'javascript:alert(1)', y: '' }])?.address).toBe('javascript%3Aalert(1)');
  });
});
