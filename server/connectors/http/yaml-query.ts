import { parseDocument } from 'yaml';
import { z } from 'zod';
import { QueryError } from '../connector.ts';
import { isPlainObject } from './json-path.ts';

/** A query written as YAML, checked by its schema. The first thing wrong with it is the error. */
export function readYamlQuery<S extends z.ZodObject>(text: string, schema: S): z.output<S> {
  const value = readYaml(text);
  if (!isPlainObject(value)) throw new QueryError('The query must be a list of options in YAML, such as `url: …`.');
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw new QueryError(`Unknown option '${issue.keys[0]}'. There are: ${Object.keys(schema.shape).join(', ')}.`);
  }
  // Inside a union the outer issue says nothing.
  throw new QueryError(issue?.message === 'Invalid input' ? `'${issue.path.join('.')}' is not what it should be.` : (issue?.message ?? ''));
}

function readYaml(text: string): unknown {
  const document = parseDocument(text, { intAsBigInt: true, prettyErrors: true, logLevel: 'silent' });
  const [fault] = document.errors;
  if (fault) {
    const [place] = fault.linePos ?? [];
    throw new QueryError(`Not valid YAML: ${fault.message.split(/ at line \d+|:?\n/)[0]}.`, { line: place?.line, column: place?.col });
  }
  try {
    // Few aliases: an alias of an alias of an alias grows without end.
    return withoutBigInts(document.toJS({ maxAliasCount: 20 }));
  } catch (cause) {
    throw new QueryError('Not valid YAML: an alias is unknown or used too often.', {}, cause);
  }
}

/** Whole numbers are numbers; one too long for that stays the digits it was written with. */
function withoutBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBigInts(inner)]));
}

/** What stands for a text in YAML: `1` and `true` do, too. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** Section 19: the option every such query has. */
export const urlOption = z.string("Query must include 'url' option.").trim().min(1, "Query must include 'url' option.");
