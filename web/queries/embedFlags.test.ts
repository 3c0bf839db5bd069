import { expect, test } from 'vitest';
import { embedAddress, iframeText, readEmbedFlags, usualSize } from './embedFlags.ts';

test('screens 1.7: a key without a value is set, and only what was asked for is', () => {
  expect(readEmbedFlags('?api_key=k&hide_header&hide_link=&showDescription=true&hide_timestamp=false')).toEqual({
    hide_header: true,
    hide_parameters: false,
    hide_link: true,
    hide_timestamp: false,
    showDescription: true,
  });
});

test('the address carries the key, the values of parameters and nothing else of where it was made', () => {
  const address = embedAddress({
    origin: 'https://tt.example',
    queryId: 7,
    visualizationId: 9,
    apiKey: 'k',
    values: '?p_a=1 %26 2&fullscreen&api_key=mine',
    flags: ['hide_header', 'showDescription'],
  });
  expect(address).toBe('https://tt.example/embed/query/7/visualization/9?api_key=k&p_a=1+%26+2&hide_header&showDescription');
  expect(readEmbedFlags(new URL(address).search)).toMatchObject({ hide_header: true, showDescription: true, hide_link: false });
});

test('Q9: 720 by 391, and an address cannot break out of its attribute', () => {
  expect(iframeText('https://tt.example/?a=1&b="><script>', usualSize)).toBe(
    '<iframe src="https://tt.example/?a=1&amp;b=&quot;><script>" width="720" height="391"></iframe>',
  );
});
