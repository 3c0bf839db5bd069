import { chaosCase } from './cases/chaos.ts';
import { dashboardCase } from './cases/dashboard.ts';
import { editorCase } from './cases/editor.ts';
import { heldCase } from './cases/held.ts';
import { ingestCase } from './cases/ingest.ts';
import { queryCase } from './cases/query.ts';
import { startCase } from './cases/start.ts';
import { webCase } from './cases/web.ts';
import { print, save } from './report.ts';

/** npm run bench [case …]: prints each figure beside its reference and goal, and writes bench/results/<case>.json. */
const cases = [startCase, webCase, queryCase, editorCase, dashboardCase, ingestCase, heldCase, chaosCase];

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !cases.some((one) => one.name === name));
if (unknown) {
  console.error(`There is no case ${unknown}. Cases: ${cases.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
for (const { name, run } of cases) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const figures = await run();
  print(name, figures);
  save(name, figures);
}
