import { z } from 'zod';
import { QueryError } from '../connector.ts';
import { isPlainObject } from './json-path.ts';

/** Parses a YAML query and checks it by its schema. The first problem becomes the error. */
export async function readYamlQuery<S extends z.ZodObject>(text: string, schema: S): Promise<z.output<S>> {
  const value = await readYaml(text);
  if (!isPlainObject(value)) throw new QueryError('The query must be a list of options in YAML, such as `url: …`.');
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw new QueryError(`Unknown option '${issue.keys[0]}'. There are: ${Object.keys(schema.shape).join(', ')}.`);
  }
  // The outer issue of a union has no useful message.
  throw new QueryError(issue?.message === 'Invalid input' ? `'${issue.path.join('.')}' is not what it should be.` : (issue?.message ?? ''));
}

/** The parser is loaded for the first such query, not at every start. */
async function readYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { intAsBigInt: true, prettyErrors: true, logLevel: 'silent' });
  const [fault] = document.errors;
  if (fault) {
    const [place] = fault.linePos ?? [];
    throw new QueryError(`Not valid YAML: ${fault.message.split(/ at line \d+|:?\n/)[0]}.`, { line: place?.line, column: place?.col });
  }
  try {
    // Aliases are limited, because nested ones grow exponentially.
    return withoutBigInts(document.toJS({ maxAliasCount: 20 }));
  } catch (cause) {
    throw new QueryError('Not valid YAML: an alias is unknown or used too often.', {}, cause);
  }
}

/** Whole numbers become numbers; those that are too long stay texts with all their digits. */
function withoutBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBigInts(inner)]));
}

/** A text in YAML; `1` and `true` count as texts, too. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** Section 19: the option that every such query has. */
export const urlOption = z.string("Query must include 'url' option.").trim().min(1, "Query must include 'url' option.");
