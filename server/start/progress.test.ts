import { expect, test } from 'vitest';
import { showProgress } from './progress.ts';

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, write: (text: string) => written.push(text), written };
}

test('a start that writes to a log prints one line for each step and no control characters', async () => {
  const output = recorder(false);
  const progress = showProgress(output);
  await progress.during('database', Promise.resolve());
  await progress.during('migrations', Promise.resolve());
  progress.done();
  expect(output.written.join('')).toBe('Starting the database …\nBringing the database up to date …\n');
});

test('a start on a terminal rewrites one line in place and leaves it empty for the banner', async () => {
  const output = recorder(true);
  const progress = showProgress(output);
  const pages = Promise.withResolvers<void>();
  const building = progress.during('pages', pages.promise);
  const starting = progress.during('database', Promise.resolve());
  expect(output.written.at(-1)).toContain('Starting the database · Building the pages');
  await starting;
  expect(output.written.at(-1)).not.toContain('database');
  pages.resolve();
  await building;
  progress.done();
  expect(output.written.every((text) => text.startsWith('\r\u001b[2K') && !text.includes('\n'))).toBe(true);
  expect(output.written.at(-1)).toBe('\r\u001b[2K');
});
