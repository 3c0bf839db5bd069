import pg from 'pg';

/** The limit on named statements: texts that differ each time must not fill the server with plans. */
const mostNames = 250;
/** Each connection keeps its plans, so only frequent statements get one. */
const oftenEnough = 10;

/** Counts the texts of one pool, and names the frequent ones: a name stands for the same text on each of its connections. */
class FrequentStatements {
  readonly #timesSeen = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** The name of a frequent text, which is then planned once per connection: parsing and planning are half of a small statement's cost. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name || this.#names.size >= mostNames) return name;
    const times = (this.#timesSeen.get(text) ?? 0) + 1;
    if (times < oftenEnough) {
      if (this.#timesSeen.size > 5 * mostNames) this.#timesSeen.clear();
      this.#timesSeen.set(text, times);
      return undefined;
    }
    this.#timesSeen.delete(text);
    this.#names.set(text, `telltale_${this.#names.size}`);
    return undefined;
  }
}

/** The connections of one pool, on each of which frequent statements are planned once. */
export function planningClient(): typeof pg.Client {
  const statements = new FrequentStatements();
  return class PlanningClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature, all forms of which are passed on.
    override query(config: any, values?: any, done?: any): any {
      // A text without values may hold several statements, which cannot be prepared.
      const isPlannable = typeof config === 'string' && Array.isArray(values) && values.length > 0;
      const name = isPlannable ? statements.nameOf(config) : undefined;
      return super.query(name ? { name, text: config } : config, values, done);
    }
  };
}
