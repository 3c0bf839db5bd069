import pg from 'pg';

/** So many texts get a name; a text that is made anew each time must not fill the server with plans. */
const mostNames = 250;
/** Each connection keeps its plans, so only what comes again and again is worth one. */
const oftenEnough = 10;
const timesSeen = new Map<string, number>();
const names = new Map<string, string>();

/** A text that comes again is planned once for each connection: half of a small statement's cost is to read and plan it. */
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

/** A connection on which a text that comes again and again is planned once. */
export class PlanningClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature, all forms of which are passed on.
  override query(config: any, values?: any, done?: any): any {
    // Without values it may be several statements, which cannot be planned ahead.
    const isPlannable = typeof config === 'string' && Array.isArray(values) && values.length > 0;
    const name = isPlannable ? nameOf(config) : undefined;
    return super.query(name ? { name, text: config } : config, values, done);
  }
}
