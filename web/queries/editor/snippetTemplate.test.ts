import { expect, test } from 'vitest';
import { snippetTemplate } from './snippetTemplate.ts';

/** Tests write # for $, which would look like a mistake here. */
const dollars = (text: string) => text.replaceAll('#', '$');

test.each([
  ['select #1 from #2', 'select #{1} from #{2}'],
  ['select #{1:name}', 'select #{1:name}'],
  ['cost ##12## and \\#3', 'cost ##12## and \\#3'],
  ['no marks', 'no marks'],
])('screens 5.4: %s', (text, expected) => {
  expect(snippetTemplate(dollars(text))).toBe(dollars(expected));
});
