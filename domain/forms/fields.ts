import { z } from 'zod';
import type { TypeSchema, TypeSchemaProperty } from './type-schema.ts';

/**
 * Fields with the facts that a form needs: label, default, secret. A kind states its options once with them; the server checks by the
 * schema, the browser draws the form from it.
 */
interface FieldMeta extends Partial<TypeSchemaProperty> {
  secret?: boolean;
  /** Folded away under "Additional Settings". */
  extra?: boolean;
  /**
   * Marks an option that says where the others are sent: secrets are kept only for this target (kept-secrets.ts). By name, unless stated.
   */
  address?: boolean;
}

const registry = z.registry<FieldMeta>();

/** Adds the facts that a form needs to a schema; kinds use it for fields of their own. */
export const described = <S extends z.ZodType>(schema: S, meta: FieldMeta): S => {
  registry.add(schema, meta);
  return schema;
};

type More = Omit<FieldMeta, 'type' | 'title' | 'default'>;

const line = (required?: string) => z.string(required).trim().max(4096);
/** Empty and null mean "not given" (A5: empty optional values are sent as null). */
const blankToNothing = (value: unknown) => (value === null || value === '' ? undefined : value);

export const text = (title: string, more: More = {}) =>
  described(z.preprocess(blankToNothing, line(`${title} is required.`).min(1, `${title} is required.`)), {
    type: 'string',
    title,
    ...more,
  });

export const optionalText = (title: string, more: More & { default?: string } = {}) =>
  described(
    z.preprocess(
      blankToNothing,
      line()
        .optional()
        .transform((value) => value ?? more.default),
    ),
    { type: 'string', title, ...more },
  );

export const secret = (title: string, more: More = {}) =>
  described(z.preprocess(blankToNothing, z.string().max(65_536).optional()), { type: 'string', title, secret: true, ...more });

export const requiredSecret = (title: string, more: More = {}) =>
  described(z.preprocess(blankToNothing, z.string(`${title} is required.`).trim().min(1, `${title} is required.`).max(65_536)), {
    type: 'string',
    title,
    secret: true,
    ...more,
  });

/** A name ending in `File` makes the form show an upload; its content comes as base64. */
export const file = (title: string, more: More = {}) =>
  described(z.preprocess(blankToNothing, z.base64().max(1_000_000).optional()), {
    type: 'string',
    title,
    secret: true,
    extra: true,
    ...more,
  });

interface Range {
  min: number;
  max: number;
}

/** The browser shows the same message before sending (web/ui/form/faults.ts). */
const within = (title: string, { min, max }: Range) => {
  const message = `${title} must be between ${min} and ${max}.`;
  return z.coerce.number(`${title} must be a number.`).min(min, message).max(max, message);
};

const ports: Range = { min: 1, max: 65_535 };

export const port = (title: string, value: number) =>
  described(z.preprocess(blankToNothing, within(title, ports).int(`${title} must be a whole number.`).default(value)), {
    type: 'number',
    title,
    default: value,
    minimum: ports.min,
    maximum: ports.max,
    multipleOf: 1,
  });

export const number = (title: string, value: number, { min, max, ...more }: More & Range) =>
  described(z.preprocess(blankToNothing, within(title, { min, max }).default(value)), {
    type: 'number',
    title,
    default: value,
    minimum: min,
    maximum: max,
    ...more,
  });

export const flag = (title: string, value = false, more: More = {}) =>
  described(z.preprocess(blankToNothing, z.boolean(`${title} must be true or false.`).default(value)), {
    type: 'boolean',
    title,
    default: value,
    ...more,
  });

export const choice = <const V extends readonly [string, ...string[]]>(
  title: string,
  values: V,
  value: V[number],
  more: More & { names?: Record<string, string> } = {},
) => {
  const { names, ...rest } = more;
  return described(z.preprocess(blankToNothing, z.enum(values).default(value as never)), {
    type: 'string',
    title,
    default: value,
    extendedEnum: values.map((item) => ({ value: item, name: names?.[item] ?? item })),
    ...rest,
  });
};

export type FieldSet = z.ZodObject<z.ZodRawShape>;

/** A3: the type schema of a kind, from its own options. */
export function typeSchemaOf(options: FieldSet): TypeSchema {
  const fields = Object.entries(options.shape).map(([name, schema]) => ({
    name,
    schema: schema as z.ZodType,
    meta: registry.get(schema as z.ZodType) ?? {},
  }));
  const named = (keep: (field: (typeof fields)[number]) => boolean | undefined) => fields.filter(keep).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, meta: { secret: _, extra: __, address: ___, type = 'string', ...rest } }) => [name, { type, ...rest }]),
    ),
    order: named(() => true),
    required: named(({ schema }) => !schema.safeParse(undefined).success),
    secret: named(({ meta }) => meta.secret),
    extra_options: named(({ meta }) => meta.extra),
  };
}

/** Options with these names say where a kind connects to; a field with another name states it (`address: true`). */
const addressName = /(?:^|_)(?:host|hostname|port|url|uri|address|endpoint|server|tls)$/;

export const addressFieldsOf = (options: FieldSet): string[] =>
  Object.entries(options.shape).flatMap(([name, schema]) =>
    (registry.get(schema as z.ZodType)?.address ?? addressName.test(name)) ? [name] : [],
  );
