import type { Token } from '@telltale/domain/sql/tokenize.ts';

/** Words after which an expression goes on. */
const joining = new Set(['and', 'not', 'in', 'global', 'like', 'ilike', 'between', 'is']);
/** Words that end a WHERE when they come after an expression. */
const ending = new Set('group order having limit union intersect except format with into offset fetch settings window qualify'.split(' '));
const units = /^(?:second|minute|hour|day|week|month|quarter|year)$/i;

/**
 * The conditions of a WHERE that all have to hold, cut at its ANDs; none for a text that could be read in another way. The words that follow
 * an expression are all known here: anything else (OR, AS, CASE … WHEN, `? :`, lambdas, clauses of later servers) leaves it unread.
 */
export function conjunctsOf(words: readonly Token[], start: number): Token[][] {
  const found: Token[][] = [[]];
  let [depth, betweens, isOperand] = [0, 0, false];
  for (let place = start; place < words.length; place++) {
    const token = words[place];
    if (!token) break;
    const { text, kind } = token;
    const word = kind === 'word' ? text.toLowerCase() : '';
    if (text === '(' || text === '[') depth++;
    else if (text === ')' || text === ']') {
      if (depth === 0) return found;
      depth--;
      isOperand = true;
    } else if (depth > 0) {
      // Tokens inside parentheses are part of the condition that contains them: an AND there does not end it.
    } else if (word === 'interval') {
      // An interval of old servers takes whole conditions: `interval 1 and x day`.
      const [count, unit] = words.slice(place + 1, place + 3);
      if (isOperand || count?.kind !== 'number' || !unit || !units.test(unit.text)) return [];
      found.at(-1)?.push(token, count, unit);
      place += 2;
      isOperand = true;
      continue;
    } else if (joining.has(word)) {
      if (word === 'between') betweens++;
      isOperand = false;
      if (word === 'and' && betweens === 0) {
        found.push([]);
        continue;
      }
      if (word === 'and') betweens--;
    } else if (kind === 'operator') {
      const isLambda = text === '-' && words[place + 1]?.text === '>';
      if (isLambda || '?:|,'.includes(text)) return [];
      isOperand = false;
    } else if (isOperand) return ending.has(word) ? found : [];
    else isOperand = true;
    found.at(-1)?.push(token);
  }
  return found;
}
