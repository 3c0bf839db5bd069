import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Shapes of the contract as JSON Schema; those that have a name are printed once and referred to. */
export class NamedSchemas {
  readonly #registry = z.registry<{ id?: string }>();
  readonly #printed = new Map<string, JsonSchema>();

  constructor(names: ReadonlyMap<z.ZodType, string>) {
    for (const [schema, id] of names) this.#registry.add(schema, { id });
  }

  /** The shape, or a reference to it. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // Wrapped in another shape, the schema becomes a definition: as the root it would be printed inline.
    const { $defs = {}, properties } = convert(z.object({ root: schema }), io, this.#registry) as {
      $defs?: Record<string, JsonSchema>;
      properties: { root: JsonSchema };
    };
    const renamed = this.#keep($defs, io);
    return withNames(properties.root, renamed) as JsonSchema;
  }

  /** The whole shape in place, without references: for parameters. */
  inline(schema: z.ZodType): JsonSchema {
    return convert(schema, 'input', z.registry<{ id?: string }>());
  }

  printed(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#printed].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** An input schema may differ from the output schema, so it has a name of its own. */
  #keep(defs: Record<string, JsonSchema>, io: 'input' | 'output'): Map<string, string> {
    const renamed = new Map(Object.keys(defs).map((id) => [id, io === 'output' ? id : `${id}Input`]));
    for (const [id, { id: _, ...schema }] of Object.entries(defs)) {
      this.#printed.set(renamed.get(id) ?? id, withNames(schema, renamed) as JsonSchema);
    }
    return renamed;
  }
}

function convert(schema: z.ZodType, io: 'input' | 'output', metadata: z.core.$ZodRegistry<{ id?: string }>): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12', metadata });
  return rest as JsonSchema;
}

function withNames(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withNames(item, renamed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const [, id] = key === '$ref' && typeof item === 'string' ? (/^#\/\$defs\/(.+)$/.exec(item) ?? []) : [];
      return [key, id === undefined ? withNames(item, renamed) : `#/components/schemas/${renamed.get(id) ?? id}`];
    }),
  );
}
