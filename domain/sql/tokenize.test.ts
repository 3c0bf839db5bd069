import { describe, expect, test } from 'vitest';
import { type Dialect, dialects } from './dialect.ts';
import { sampler, sqlShards } from './sampling.ts';
import { type Token, tokenize } from './tokenize.ts';

const kinds = (sql: string, dialect: Dialect) =>
  tokenize(sql, dialect)
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, text }) => `${kind} ${text}`);

test('W32: the tokens joined are the input, whatever it is, and the offsets fit', () => {
  const { text } = sampler(1);
  for (const dialect of dialects) {
    for (let round = 0; round < 3000; round++) {
      const sql = text(sqlShards, 25);
      const tokens = tokenize(sql, dialect);
      expect(tokens.map((token) => token.text).join('')).toBe(sql);
      expect(tokens.every(({ start, end, text: part }) => end > start && sql.slice(start, end) === part)).toBe(true);
    }
  }
});

test('W32: a token that does not close runs to the end and says so; all others are closed', () => {
  const { text } = sampler(2);
  for (const dialect of dialects) {
    for (let round = 0; round < 1000; round++) {
      const tokens = tokenize(text(sqlShards, 25), dialect);
      expect(tokens.slice(0, -1).every(({ unterminated }) => !unterminated)).toBe(true);
    }
  }
});

describe('a token ends where the database sees its end', () => {
  const cases: [Dialect, string, string[]][] = [
    ['postgres', `'it''s' "a""b" x`, [`string 'it''s'`, `quoted-identifier "a""b"`, 'word x']],
    ['postgres', String.raw`'a\' x`, [String.raw`string 'a\'`, 'word x']],
    ['postgres', String.raw`E'a\'b' x`, [String.raw`string E'a\'b'`, 'word x']],
    ['postgres', String.raw`type'a\' x`, ['word type', String.raw`string 'a\'`, 'word x']],
    ['postgres', `E'a'\n'b\\' c' x`, [`string E'a'`, `string 'b\\' c'`, 'word x']],
    ['postgres', `E'a' -- c\n  'b\\' c' x`, [`string E'a'`, 'line-comment -- c', `string 'b\\' c'`, 'word x']],
    ['postgres', `E'a' 'b\\' x`, [`string E'a'`, `string 'b\\'`, 'word x']],
    ['postgres', `'a'\n'b\\' x`, [`string 'a'`, `string 'b\\'`, 'word x']],
    ['postgres', String.raw`U&'d\' U&"d\" x`, [String.raw`string U&'d\'`, String.raw`quoted-identifier U&"d\"`, 'word x']],
    ['postgres', `$$it's$$ $a$ $$ $b$ $a$ x`, [`dollar-string $$it's$$`, 'dollar-string $a$ $$ $b$ $a$', 'word x']],
    ['postgres', `a$$b $1 c$$`, ['word a$$b', 'operator $', 'number 1', 'word c$$']],
    ['postgres', '/* a /* b */ c */ x', ['block-comment /* a /* b */ c */', 'word x']],
    ['postgres', `-- it's\rx`, [`line-comment -- it's`, 'word x']],
    ['postgres', '`a # b', ['operator `', 'word a', 'operator #', 'word b']],
    ['postgres', 'a[1]', ['word a', 'operator [', 'number 1', 'operator ]']],
    ['mysql', String.raw`'a\' -- ' "b\"" x`, [String.raw`string 'a\' -- '`, String.raw`string "b\""`, 'word x']],
    ['mysql', String.raw`'a\\' x`, [String.raw`string 'a\\'`, 'word x']],
    ['mysql', "`a``'b` x", ["quoted-identifier `a``'b`", 'word x']],
    [
      'mysql',
      "5--1 -- it's\nx # it's\ny --",
      [
        'number 5',
        'operator -',
        'operator -',
        'number 1',
        "line-comment -- it's",
        'word x',
        "line-comment # it's",
        'word y',
        'line-comment --',
      ],
    ],
    ['mysql', `/* a /* b */ x`, ['block-comment /* a /* b */', 'word x']],
    ['mysql', "-- a\rb'\nx", ["line-comment -- a\rb'", 'word x']],
    ['sqlite', String.raw`'a\' [b'c] "d" x`, [String.raw`string 'a\'`, "quoted-identifier [b'c]", 'quoted-identifier "d"', 'word x']],
    ['sqlite', '/* a /* b */ x', ['block-comment /* a /* b */', 'word x']],
    ['clickhouse', String.raw`'a\' b' "c\" d" x`, [String.raw`string 'a\' b'`, String.raw`quoted-identifier "c\" d"`, 'word x']],
    [
      'clickhouse',
      "$h$it's$h$ // it's\n#!it's\n# it's\nx",
      ["dollar-string $h$it's$h$", "line-comment // it's", "line-comment #!it's", "line-comment # it's", 'word x'],
    ],
    ['clickhouse', '/* a /* b */ c */ select\u00a01', ['block-comment /* a /* b */ c */', 'word select', 'number 1']],
    [
      'duckdb',
      "$$it's$$ E'\\n' {'a': {{ p }}}",
      ["dollar-string $$it's$$", "string E'\\n'", 'operator {', "string 'a'", 'operator :', 'placeholder {{ p }}', 'operator }'],
    ],
    ['generic', '"a" `b` [c d] x', ['quoted-identifier "a"', 'quoted-identifier `b`', 'quoted-identifier [c d]', 'word x']],
  ];
  test.each(cases)('%s: %s', (dialect, sql, expected) => expect(kinds(sql, dialect)).toEqual(expected));
});

test('numbers, words of all alphabets, placeholders with blanks and dots, marks', () => {
  expect(kinds('1 2.5 .5 1e-3 0xFF größe _a {{ my param.start }}{{{ x }}};()', 'postgres')).toEqual([
    ...['number 1', 'number 2.5', 'number .5', 'number 1e-3', 'number 0xFF', 'word größe', 'word _a'],
    ...['placeholder {{ my param.start }}', 'placeholder {{{ x }}}', 'semicolon ;', 'open (', 'close )'],
  ]);
});

describe('unterminated', () => {
  const cases: [Dialect, string][] = [
    ['postgres', "select 'a"],
    ['postgres', 'select "a'],
    ['postgres', 'select /* /* */'],
    ['postgres', 'select $a$ $$'],
    ['mysql', String.raw`select 'a\'`],
    ['sqlite', 'select [a'],
  ];
  test.each(cases)('%s: %s', (dialect, sql) => expect(tokenize(sql, dialect).at(-1)?.unterminated).toBe(true));
});

describe('W1: what another reading would end elsewhere is marked', () => {
  const find = (sql: string, dialect: Dialect): Token | undefined => tokenize(sql, dialect).find(({ ambiguous }) => ambiguous);
  const marked: [Dialect, string][] = [
    ['mysql', "select 1 /*! union select '*/' */"],
    ['mysql', 'select /*M!100100 1 */'],
    ['duckdb', '/* /* */ */'],
    ['duckdb', String.raw`E'a\'b'`],
    ['duckdb', 'a$$b'],
    ['clickhouse', '$ a b $'],
    ['clickhouse', 'select ‘a’'],
    ['clickhouse', '/* /* */ */'],
    ['generic', String.raw`'a\'`],
    ['generic', `'''a'`],
    ['generic', String.raw`"a\"`],
    ['generic', `q'[it's]'`],
    ['generic', "[it's]"],
    ['generic', 'a[b[1]]'],
    ['generic', '# a'],
    ['generic', '$$ a $$'],
    ['generic', "--it's"],
    ['generic', "1 // it's"],
    ['generic', '-- a\rb'],
  ];
  test.each(marked)('%s: %s', (dialect, sql) => expect(find(sql, dialect)).toBeDefined());
  const plain: [Dialect, string][] = [
    ['postgres', String.raw`E'a\'b' /* /* */ */ a$$b 1 # 2`],
    ['mysql', "'a\\'b' /* x */ # it's"],
    ['generic', `select 'it''s', "a b", [c], arr[1] -- it's\r\nfrom t /* x */`],
  ];
  test.each(plain)('not %s: %s', (dialect, sql) => expect(find(sql, dialect)).toBeUndefined());
});

test('linear time: the worst shards by the ten thousand', () => {
  for (const shard of ["'", '/*', '{{', '{{ a', '$a$', '$b', "E'a'\n", '--', '((', '\\']) {
    for (const dialect of dialects) {
      const start = Date.now();
      tokenize(shard.repeat(20_000), dialect);
      // Quadratic time would take far longer.
      expect(Date.now() - start, `${dialect} ${shard}`).toBeLessThan(5000);
    }
  }
});
