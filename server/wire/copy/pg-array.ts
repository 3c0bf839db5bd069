/** An item of array text: a brace, a comma, a quoted item or a bare one. */
const token = /[{},]|"((?:[^"\\]|\\.)*)"|[^{},"]+/gsy;

/** PostgreSQL's array text, `{1,NULL,"a b"}` and nested ones, as a JSON array; any other text stays text. */
export function arrayJson(text: string, item: (text: string) => string): string {
  let json = '';
  let depth = 0;
  token.lastIndex = text.startsWith('[') ? text.indexOf('=') + 1 : 0; // `[0:1]={…}`: the bounds are left out
  for (;;) {
    const at = token.lastIndex;
    const found = token.exec(text);
    if (!found) return at === text.length && depth === 0 && json !== '' ? json : JSON.stringify(text);
    const [bare, quoted] = found;
    if (bare === '{') {
      json += '[';
      depth++;
    } else if (bare === '}') {
      json += ']';
      depth--;
    } else if (bare === ',') json += ',';
    else if (quoted !== undefined) json += item(quoted.replace(/\\(.)/gs, '$1'));
    else json += bare === 'NULL' ? 'null' : item(bare);
  }
}
