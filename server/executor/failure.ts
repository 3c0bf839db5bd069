import { homedir, tmpdir } from 'node:os';
import { dirname, resolve, sep } from 'node:path';
import { type Connector, QueryError } from '../connectors/connector.ts';
import { isLoadFault, unavailableMessage } from '../connectors/drivers.ts';
import { ResultLimitError } from '../wire/limits.ts';
import type { Failure } from './protocol.ts';

const tooDeep = 'What the source answered is nested too deeply to be read.';

/** Converts an error in an executor to a message for users. `places` are folders to remove from it. */
export function failureOf(error: unknown, connector?: Connector, places: readonly string[] = []): Failure {
  if (error instanceof QueryError) return { message: error.message, line: error.line, column: error.column };
  if (error instanceof ResultLimitError) return { message: error.message };
  if (error instanceof RangeError && error.message.includes('call stack')) return { message: tooDeep };
  if (isLoadFault(error)) return { message: unavailableMessage(connector?.driver ?? connector ?? { name: 'This kind' }) };
  // What a driver throws is about the source: its text is for people who may run queries there.
  return { message: withoutPlaces(messageOf(error), places) };
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message;
  return error instanceof Error && error.message ? error.message : String(error);
}

/** The folders of the product and of Node, the home folder and the temporary folder. */
const machine = [resolve(import.meta.dirname, '../..'), dirname(process.execPath), homedir(), tmpdir()];

/** Security 27: removes stacks and folders of the machine. */
function withoutPlaces(message: string, places: readonly string[]): string {
  const lines = message.split('\n');
  const end = lines.findIndex((line) => /^\s+at \S|^Require stack:/.test(line));
  const text = (end < 0 ? lines : lines.slice(0, end)).join('\n').trimEnd();
  const folders = [...places, ...machine].filter((place) => place.length > 1).sort((a, b) => b.length - a.length);
  const hidden = folders.reduce((rest, place) => rest.replaceAll(`file://${place}${sep}`, '').replaceAll(place + sep, ''), text);
  return hidden || 'The source failed without saying why.';
}
