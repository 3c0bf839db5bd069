import { homedir } from 'node:os';
import { join, sep } from 'node:path';

/** Words that query the engine itself; only such texts can reveal where files lie. */
const aboutItself =
  /\b(?:duckdb_\w+|sqlite_\w+|pg_\w+|information_schema|pragma\w*|current_setting|explain|show|describe|query|query_table)\b/i;

export const asksTheEngine = (text: string): boolean => aboutItself.test(text);

/** Security 27: removes folder names of the machine, which users do not need. */
export class Hidden {
  readonly #places: string[];

  constructor(folders: readonly string[]) {
    this.#places = [...folders, join(homedir(), '.duckdb')]
      .flatMap((folder) => [folder + sep, folder])
      .map((place) => JSON.stringify(place).slice(1, -1));
  }

  /** Returns the JSON value with paths relative to the folder. */
  without(json: string): string {
    return this.#places.reduce((text, place) => text.replaceAll(place, ''), json);
  }
}
