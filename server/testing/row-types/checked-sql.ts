import { AsyncLocalStorage } from 'node:async_hooks';
import type { RawBuilder, Sql } from 'kysely';
import pg from 'pg';
import { differences, type Field, type Statement } from './row-shape.ts';

type Place = Pick<Statement, 'place' | 'shape'>;

/** The columns that the driver reports for the statement that is being executed; Kysely passes on the rows alone. */
const answer = new AsyncLocalStorage<{ fields?: Field[] }>();
/** Fragments that declare the columns of a statement around them. */
const declared = new WeakMap<object, Required<Place>>();
const executed = new Set<string>();
const faults = new Set<string>();

/** The tag `sql` for a statement with a declared row type: it compares every answer with it. */
export function checked(sql: Sql, { place, shape }: Place) {
  return (texts: TemplateStringsArray, ...values: unknown[]): RawBuilder<unknown> => {
    const built = sql(texts, ...values);
    const row = shape ? { place, shape } : values.map((value) => declared.get(Object(value))).find((found) => found);
    if (row) declared.set(built, row);
    const execute = built.execute.bind(built);
    return Object.assign(built, {
      execute: (...args: Parameters<typeof execute>) => {
        const heard: { fields?: Field[] } = {};
        return answer.run(heard, async () => {
          const result = await execute(...args);
          executed.add(place);
          if (row) compare(row, heard.fields, result.rows as Record<string, unknown>[]);
          else faults.add(`${place}: no fragment declares the columns`);
          return result;
        });
      },
    });
  };
}

function compare({ place, shape }: Required<Place>, fields: Field[] | undefined, rows: readonly Record<string, unknown>[]): void {
  executed.add(place);
  if (fields) for (const found of differences(shape, fields, rows)) faults.add(`${place}: ${found}`);
}

/** Places of statements that were executed since the last call. */
export function takeExecuted(): string[] {
  const places = [...executed];
  executed.clear();
  return places;
}

/** What was found since the last call. */
export function takeFaults(): string[] {
  const found = [...faults];
  faults.clear();
  return found;
}

/** Hears the columns of each answer from the driver. */
export function watchFields(): void {
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const result = Reflect.apply(query, this, args) as unknown;
    const heard = answer.getStore();
    if (!heard || !(result instanceof Promise)) return result;
    return result.then((given: { fields?: Field[] }) => {
      heard.fields = given.fields;
      return given;
    });
  } as typeof query;
}
