import { homedir } from 'node:os';
import { join, sep } from 'node:path';

/** Words by which a text asks the engine about itself; only then can it tell where files lie. */
const aboutItself =
  /\b(?:duckdb_\w+|sqlite_\w+|pg_\w+|information_schema|pragma\w*|current_setting|explain|show|describe|query|query_table)\b/i;

export const asksTheEngine = (text: string): boolean => aboutItself.test(text);

/** Security 27: folders of the machine, whose names people have no use for. */
export class Hidden {
  readonly #places: string[];

  constructor(folders: readonly string[]) {
    this.#places = [...folders, join(homedir(), '.duckdb')]
      .flatMap((folder) => [folder + sep, folder])
      .map((place) => JSON.stringify(place).slice(1, -1));
  }

  /** A value as JSON, with paths as they are seen from inside the folder. */
  without(json: string): string {
    return this.#places.reduce((text, place) => text.replaceAll(place, ''), json);
  }
}
