import pg from 'pg';

/** The limit on named statements: texts that differ each time must not fill the server with plans. */
const mostNames = 250;
/** Each connection keeps its plans, so only frequent statements get one. */
const oftenEnough = 10;
const timesSeen = new Map<string, number>();
const names = new Map<string, string>();

/** The name of a frequent text, which is then planned once per connection: parsing and planning are half of a small statement's cost. */
function nameOf(text: string): string | undefined {
  const name = names.get(text);
  if (name || names.size >= mostNames) return name;
  const times = (timesSeen.get(text) ?? 0) + 1;
  if (times < oftenEnough) {
    if (timesSeen.size > 5 * mostNames) timesSeen.clear();
    timesSeen.set(text, times);
    return undefined;
  }
  timesSeen.delete(text);
  names.set(text, `telltale_${names.size}`);
  return undefined;
}

/** A connection on which frequent statements are planned once. */
export class PlanningClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature, all forms of which are passed on.
  override query(config: any, values?: any, done?: any): any {
    // A text without values may hold several statements, which cannot be prepared.
    const isPlannable = typeof config === 'string' && Array.isArray(values) && values.length > 0;
    const name = isPlannable ? nameOf(config) : undefined;
    return super.query(name ? { name, text: config } : config, values, done);
  }
}
