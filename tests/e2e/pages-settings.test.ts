import { describe, test } from 'vitest';
import { pagesOfThisConsole, parts } from './support/pages.ts';
import { admin } from './support/people.ts';

const lookAtAll = await pagesOfThisConsole();

/** A file of their own: they are a third of all pages. */
describe('look.md: every page of the settings is readable and named in both themes, shows its focus, and fits a zoom of 200 % and a phone of 360 px', () => {
  const paths = (parts.get('settings') ?? []).map(({ path }) => path);
  test('settings', lookAtAll(paths, { as: admin() }));
});
