import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** What axe-core objects to on the page as it is shown now, by all of its rules, one line for each rule with the first places. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated rather than loaded as a script, which the content security policy would refuse.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(script);
  // Loading every style sheet again takes a quarter of the time, and serves only a rule that is off by default and one about sound.
  const options = { resultTypes: ['violations'], preload: false };
  const violations = await page.evaluate<Violation[]>(`axe.run(document, ${JSON.stringify(options)}).then((found) => found.violations)`);
  return violations.map(
    ({ id, help, nodes }) =>
      `axe ${id}: ${help} (${nodes.length}) at ${nodes
        .slice(0, 3)
        .map(({ target }) => target.join(' '))
        .join(' | ')}`,
  );
}
