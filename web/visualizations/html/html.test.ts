import { describe, expect, test } from 'vitest';
import { htmlText, withLinks } from './htmlText.ts';
import { isSafeDeclaration } from './safeStyle.ts';
import { safeImageUrl, safeLinkUrl } from './safeUrl.ts';

describe('security 12: links', () => {
  test.each([
    'https://a.example/x?y=1#z',
    'HTTP://a',
    'mailto:a@b.example',
    '/queries/1',
    'devices/7',
    '?a=1',
    '#x',
    '//a.example',
    '../x',
    'a b',
  ])('%s may be followed', (url) => {
    expect(safeLinkUrl(url)).toBe(url);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:http://a/1',
    'ftp://a',
    'http://',
    '',
    '   ',
  ])('%j may not', (url) => {
    expect(safeLinkUrl(url)).toBeUndefined();
  });
});

test('pictures come from the web or are part of the text', () => {
  expect(safeImageUrl('https://a.example/x.png')).toBe('https://a.example/x.png');
  expect(safeImageUrl('/static/x.svg')).toBe('/static/x.svg');
  expect(safeImageUrl('data:image/png;base64,AAAA')).toBe('data:image/png;base64,AAAA');
  expect(safeImageUrl('data:text/html,x')).toBeUndefined();
  expect(safeImageUrl('javascript:alert(1)')).toBeUndefined();
});

describe('styles in cells', () => {
  test.each([
    ['color', 'red'],
    ['color', '#fff'],
    ['background-color', 'rgba(1, 2, 3, 0.5)'],
    ['width', 'calc(50% - 4px)'],
    ['font-weight', '600'],
    ['padding-left', '4px'],
  ])('%s: %s is kept', (property, value) => {
    expect(isSafeDeclaration(property, value)).toBe(true);
  });

  test.each([
    ['position', 'fixed'],
    ['background-image', 'url(https://a.example/x)'],
    ['background-color', 'url(https://a.example/x)'],
    ['width', 'expression(alert(1))'],
    ['color', 'var(--primary)'],
    ['behavior', 'url(x)'],
    ['margin-top', '-1000px'],
    ['transform', 'scale(100)'],
    ['color', 'red;position:fixed'],
    ['--x', 'red'],
  ])('%s: %s is not', (property, value) => {
    expect(isSafeDeclaration(property, value)).toBe(false);
  });
});

test.each([
  ['<b>bold</b> &amp; <i>x</i>', 'bold & x'],
  ['a<br>b', 'a b'],
  ['1 < 2', '1 < 2'],
  ['<script>alert(1)</script>ok', 'ok'],
  ['&#65;&#x42;&bogus;&#0;', 'AB&bogus;&#0;'],
  ['plain', 'plain'],
])('the text of %s is %s', (html, text) => {
  expect(htmlText(html)).toBe(text);
});

test.each([
  ['https://a.example/x.', '<a href="https://a.example/x" target="_blank">https://a.example/x</a>.'],
  ['see http://a.b/c(d) now', 'see <a href="http://a.b/c(d)" target="_blank">http://a.b/c(d)</a> now'],
  ['a<br/>https://b', 'a<br/><a href="https://b" target="_blank">https://b</a>'],
  ['<a href="https://x">y</a>', '<a href="https://x">y</a>'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
])('visualizations 4.7: links in %s', (html, linked) => {
  expect(withLinks(html)).toBe(linked);
});
