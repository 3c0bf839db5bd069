import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statements } from './plugin.ts';

/** Says how many statements a run has executed, and names the others. */
export function summary(executedFolder: string): string {
  const executed = new Set(
    readdirSync(executedFolder).flatMap((name) => readFileSync(join(executedFolder, name), 'utf8').split('\n').filter(Boolean)),
  );
  const places = Object.values(statements()).flatMap((each) => each.map(({ place }) => place));
  const missed = places.filter((place) => !executed.has(place));
  const head = `row types: ${places.length - missed.length} of ${places.length} statements were compared with what they answered`;
  return missed.length === 0 ? head : `${head}; never executed in this process:\n${missed.map((place) => `  ${place}`).join('\n')}`;
}
