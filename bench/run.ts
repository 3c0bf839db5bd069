import { parseArgs } from 'node:util';
import { worseThanBounds } from './bounds.ts';
import { alertCase } from './cases/alert.ts';
import { apiCase } from './cases/api.ts';
import { chaosCase } from './cases/chaos.ts';
import { commandCase, commandFleetCase } from './cases/command.ts';
import { dashboardCase } from './cases/dashboard.ts';
import { decodeCase } from './cases/decode.ts';
import { editorCase } from './cases/editor.ts';
import { growthCase } from './cases/growth.ts';
import { heldCase } from './cases/held.ts';
import { historyCase } from './cases/history.ts';
import { ingestCase } from './cases/ingest.ts';
import { queryCase } from './cases/query.ts';
import { startCase } from './cases/start.ts';
import { steadyCase } from './cases/steady.ts';
import { webCase } from './cases/web.ts';
import { print, save } from './report.ts';

/**
 * npm run bench [case …]: prints each figure beside its reference and goal, and writes artifacts/bench/<case>.json with a picture.
 * --quick takes the cases that need a minute, and fails when a ratio is worse than its bound (bounds.json).
 */
const cases = [
  startCase,
  webCase,
  apiCase,
  queryCase,
  editorCase,
  dashboardCase,
  ingestCase,
  steadyCase,
  decodeCase,
  heldCase,
  alertCase,
  chaosCase,
  commandCase,
  commandFleetCase,
  growthCase,
  historyCase,
];

const { values, positionals: asked } = parseArgs({ options: { quick: { type: 'boolean', default: false } }, allowPositionals: true });
const offered = values.quick ? cases.filter(({ quick }) => quick) : cases;
const unknown = asked.find((name) => !offered.some((one) => one.name === name));
if (unknown) {
  console.error(`There is no case ${unknown}. Cases: ${offered.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const worse: string[] = [];
for (const { name, run, quick = run } of offered) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const figures = await (values.quick ? quick() : run());
  print(name, figures);
  save(values.quick ? `${name}-quick` : name, figures);
  if (values.quick) worse.push(...worseThanBounds(name, figures));
}
for (const line of worse) console.error(`worse than its bound: ${line}`);
process.exit(worse.length > 0 ? 1 : 0);
