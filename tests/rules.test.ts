import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folders = ['domain', 'server', 'web', 'tests', 'bench', 'scripts'];
const kinds = new Set(['.ts', '.tsx', '.css', '.sql', '.py']);

/** `iot-behaviour 1.9 and 1.10`, `W18, W19`, `complaints 26, 27`: a family, a number, and more numbers of the same family. */
const section = String.raw`\d+(?:\.\d+)*`;
const families = ['server-behaviour', 'iot-behaviour', 'visualizations', 'screens', 'security', 'design', 'complaints?'];
const sections = new RegExp(String.raw`\b(${families.join('|')}) (${section}(?:(?:, | and | or )${section}(?![\w%]))*)`, 'gi');
const letters = /(?<![\w'#/.-])([QDA][1-9]|W[1-9]\d?)(?=[:,.;)]| (?:and|to|or|in|for|as|says|asks|—)\b)/g;

const withoutPlural = (family: string): string => family.toLowerCase().replace(/^complaints$/, 'complaint');

function citedIn(text: string): string[] {
  const numbered = [...text.matchAll(sections)].flatMap(([, family = '', numbers = '']) =>
    numbers.split(/, | and | or /).map((number) => `${withoutPlural(family)} ${number}`),
  );
  return [...numbered, ...[...text.matchAll(letters)].map(([, id = '']) => id)];
}

/** Comments and test names; a cell `A1` of a spreadsheet is neither. */
function prose(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  if (!path.includes('.test.')) return lines.filter((line) => /\/\/|\/\*|^\s*(\*|--|#)/.test(line)).join('\n');
  return lines.filter((line) => /\/\/|\/\*|^\s*\*|(test|describe|each|journey|message)[^(]*\(|^\s*['"`]/.test(line)).join('\n');
}

const files = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && kinds.has(extname(entry.name)) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));

const cited = folders.flatMap((folder) =>
  files(join(root, folder)).flatMap((path) => citedIn(prose(path)).map((id) => ({ id, path: relative(root, path) }))),
);

const stated = readdirSync(join(root, 'docs/rules'))
  .filter((name) => name !== 'README.md')
  .flatMap((name) => [...readFileSync(join(root, 'docs/rules', name), 'utf8').matchAll(/^- \*\*([^*]+)\*\* — \S/gm)].map(([, id]) => id));
const rules = new Set(stated);

/** `iot-behaviour 3.5.6` is the sixth sentence of rule 3.5. */
function ruleOf(id: string): string | undefined {
  for (let at = id; at; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') if (rules.has(at)) return at;
  return undefined;
}

test('every rule is stated once', () => {
  expect(stated.filter((id, at) => stated.indexOf(id) !== at)).toEqual([]);
});

test('every rule that a comment or a test cites is stated in docs/rules', () => {
  expect(cited.filter(({ id }) => !ruleOf(id)).map(({ id, path }) => `${id} in ${path}`)).toEqual([]);
});

test('every rule in docs/rules is cited', () => {
  const used = new Set(cited.map(({ id }) => ruleOf(id)));
  expect(stated.filter((id) => !used.has(id))).toEqual([]);
});
