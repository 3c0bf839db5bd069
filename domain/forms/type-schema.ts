import { z } from 'zod';

/**
 * A3: the options of a kind of data source or destination. The server prints it from the kind's options, the browser draws the form from
 * it, so a new kind needs no form of its own.
 */
export const TypeSchemaProperty = z.object({
  type: z.enum(['string', 'number', 'boolean']),
  title: z.string().optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  extendedEnum: z.array(z.object({ value: z.union([z.string(), z.number()]), name: z.string() })).optional(),
  /** A sentence under the field. */
  info: z.string().optional(),
  minLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  /** 1 for whole numbers. */
  multipleOf: z.number().optional(),
  /** Shown in the empty field, where there is no default to show. */
  example: z.string().optional(),
  /** A text of several lines. */
  multiline: z.boolean().optional(),
});
export type TypeSchemaProperty = z.infer<typeof TypeSchemaProperty>;

export const TypeSchema = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), TypeSchemaProperty),
  required: z.array(z.string()).optional(),
  secret: z.array(z.string()).optional(),
  order: z.array(z.string()).optional(),
  extra_options: z.array(z.string()).optional(),
});
export type TypeSchema = z.infer<typeof TypeSchema>;

/** A secret reads back as this and is kept when this is saved (design 8). */
export const secretMask = '--------';
