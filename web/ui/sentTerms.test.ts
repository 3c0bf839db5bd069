import { expect, test } from 'vitest';
import { SentTerms } from './sentTerms.ts';

test('Q9: an older term that comes back late does not overwrite what was typed since', () => {
  const sent = new SentTerms('');
  sent.send('l');
  sent.send('list');
  expect(sent.isEcho('l')).toBe(true);
  expect(sent.last).toBe('list');
  expect(sent.isEcho('list')).toBe(true);
});

test('Q9: a skipped term does not come back', () => {
  const sent = new SentTerms('');
  sent.send('l');
  sent.send('list');
  expect(sent.isEcho('list')).toBe(true);
  expect(sent.isEcho('l')).toBe(false);
});

test('Q9: Back brings the earlier term into the box', () => {
  const sent = new SentTerms('');
  sent.send('list');
  expect(sent.isEcho('list')).toBe(true);
  expect(sent.isEcho('')).toBe(false);
  expect(sent.last).toBe('');
});
