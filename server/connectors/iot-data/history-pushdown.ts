import { isBlankToken, type Token, tokenize } from '@telltale/domain/sql/tokenize.ts';
import { aliasesOf, isWord } from './history-aliases.ts';
import { conditionsOf } from './history-conditions.ts';
import { nameOf } from './history-gate.ts';
import { momentFunctions } from './history-moments.ts';
import { conjunctsOf } from './history-where.ts';

/**
 * The columns of each relation on which conditions may stand below FINAL: those of the sorting key of its table, because all versions of a
 * reading are equal in them, so no condition on them decides which one wins. The time of a last reading differs from version to version.
 */
const keyColumns = new Map([
  ['metric', ['channel_id', 'device_id', 'attribute', 'time']],
  ['metric_minute', ['channel_id', 'device_id', 'attribute', 'time']],
  ['metric_hour', ['channel_id', 'device_id', 'attribute', 'time']],
  ['metric_last', ['channel_id', 'device_id', 'attribute']],
]);
/** Words after the name of a table that are not its alias. */
const notAliases = new Set(
  `final sample array left right inner outer full cross any all asof semi anti natural paste global join on using prewhere where group order
  having limit union intersect except with format settings offset fetch into window qualify select from as`.split(/\s+/),
);

/** Texts that are nested deeper than anyone writes would be read once for each level. */
const mostReadings = 50;

/** A relation that a SELECT reads alone, with conditions. */
interface Reading {
  relation: string;
  alias: Token | undefined;
  /** The place of the first word behind WHERE. */
  where: number;
  /** The offsets of the relation with its alias. */
  start: number;
  end: number;
}

/**
 * Repeats conditions of a statement inside of the relations that it reads: the server does not move them below FINAL itself, and would read
 * everything that was ever reported. The statement keeps its own conditions, so those inside may say less, and are left out wherever a text
 * could be read in another way. Undefined when there is nothing to repeat.
 *
 * PREWHERE with the channels of the reader stays first inside, and no function over a row is repeated (design 8.1).
 */
export function pushDown(
  query: string,
  database: string,
  textOf: (relation: string, conditions: readonly string[]) => string,
): string | undefined {
  const words = tokenize(query, 'clickhouse').filter((token) => !isBlankToken(token));
  const readings = readingsOf(words, database);
  if (readings.length === 0 || readings.length > mostReadings) return undefined;
  const aliases = aliasesOf(words);
  if (!aliases || momentFunctions.some((name) => aliases.has(name.toLowerCase()))) return undefined;
  let [sent, end] = ['', 0];
  for (const reading of readings) {
    const columnOf = columnsOf(reading, readings, aliases);
    const conditions = conjunctsOf(words, reading.where).flatMap((conjunct) => conditionsOf(conjunct, columnOf));
    if (conditions.length === 0) continue;
    sent += `${query.slice(end, reading.start)}(${textOf(reading.relation, conditions)}) as ${reading.alias?.text ?? reading.relation}`;
    end = reading.end;
  }
  return end > 0 ? `${sent}${query.slice(end)}` : undefined;
}

function readingsOf(words: readonly Token[], database: string): Reading[] {
  const found: Reading[] = [];
  for (const [place, word] of words.entries()) {
    if (!isWord(word, 'from')) continue;
    const [home, dot, named, next, second, third] = words.slice(place + 1, place + 7);
    if (home?.text !== database || dot?.text !== '.' || !isName(named)) continue;
    const relation = nameOf(named);
    if (!keyColumns.has(relation)) continue;
    const hasAs = isWord(next, 'as');
    const alias = hasAs ? second : isWord(next, 'where') ? undefined : next;
    if (alias && (!isName(alias) || notAliases.has(nameOf(alias).toLowerCase()))) continue;
    if (!isWord(hasAs ? third : alias ? second : next, 'where')) continue;
    const where = place + 5 + (alias ? 1 : 0) + (hasAs ? 1 : 0);
    found.push({ relation, alias, where, start: home.start, end: (alias ?? named).end });
  }
  return found;
}

/**
 * Finds out which column of the key some tokens name. An alias anywhere in the statement takes its name from the column, as it does on the
 * server: `toStartOfHour(time) as time`.
 */
function columnsOf({ relation, alias }: Reading, readings: readonly Reading[], aliases: ReadonlyMap<string, Token[]>) {
  const qualifier = alias ? nameOf(alias) : relation;
  const tables = new Set(readings.map((reading) => reading.alias));
  const isTable = (aliases.get(qualifier.toLowerCase()) ?? []).every((token) => tables.has(token));
  return (tokens: readonly Token[]): string | undefined => {
    const [table, dot, column] = tokens.length === 1 ? [undefined, undefined, tokens[0]] : tokens;
    if (tokens.length > 3 || !isName(column)) return undefined;
    if (table && !(isTable && isName(table) && nameOf(table) === qualifier && dot?.text === '.')) return undefined;
    const name = nameOf(column);
    const isHidden = aliases.has(name) || aliases.has(`${qualifier}.${name}`.toLowerCase());
    return keyColumns.get(relation)?.includes(name) && !isHidden ? name : undefined;
  };
}

const isName = (token: Token | undefined): token is Token => token?.kind === 'word' || token?.kind === 'quoted-identifier';
