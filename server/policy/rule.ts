import type { Person } from '@telltale/domain/access/identity.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Principal } from './principals.ts';

export type Condition = RawBuilder<boolean>;
/** A condition that does not depend on the row is decided without the database. */
export type Where = Condition | boolean;

/** A condition on users: for one object by its facts, for a list by SQL on its table. Both agree (policy.test.ts). */
export interface Clause<F> {
  allows: (who: Person, facts: F) => boolean;
  where: (who: Person) => Where;
  /** The condition in words: the reason in the matrix of access. */
  words?: string;
  /** The parts of a combined clause. */
  parts?: { join: 'and' | 'or'; clauses: readonly Clause<F>[] };
}

type Holder = Exclude<Principal, Person | { kind: 'nobody' }>;
type Reaches<F> = (holder: { object_id: number }, facts: F) => boolean;

/** One line of the table of rules. Keys, tokens and schedules are refused unless the line says which objects they reach. */
export interface Rule<F> {
  people: Clause<F>;
  query_key?: Reaches<F>;
  dashboard_token?: Reaches<F>;
  schedule?: Reaches<F>;
}

/** Allows a table of rules with different facts. */
export const rule = <F>(stated: Rule<F>): Rule<F> => stated;

export function isAllowed<F>(stated: Rule<F>, who: Principal, facts: F): boolean {
  if (who.kind === 'user') return stated.people.allows(who, facts);
  if (who.kind === 'nobody') return false;
  return isReached(stated, who, facts) && who.acts_for.length > 0 && who.acts_for.every((person) => stated.people.allows(person, facts));
}

function isReached<F>(stated: Rule<F>, who: Holder, facts: F): boolean {
  if (who.kind === 'together') return true;
  return stated[who.kind]?.(who, facts) ?? false;
}

/** A clause without SQL, for objects that no list filters by. */
export const only = <F>(allows: Clause<F>['allows'], words?: string): Clause<F> => ({
  allows,
  ...(words !== undefined && { words }),
  where: () => {
    throw new Error('There is no list of this.');
  },
});

export const anyOf = <F>(...clauses: Clause<F>[]): Clause<F> => ({
  parts: { join: 'or', clauses },
  allows: (who, facts) => clauses.some((clause) => clause.allows(who, facts)),
  where(who) {
    const parts = clauses.map((clause) => clause.where(who)).filter((part) => part !== false);
    return parts.includes(true) ? true : joined(parts as Condition[], ' or ', false);
  },
});

export const allOf = <F>(...clauses: Clause<F>[]): Clause<F> => ({
  parts: { join: 'and', clauses },
  allows: (who, facts) => clauses.every((clause) => clause.allows(who, facts)),
  where(who) {
    const parts = clauses.map((clause) => clause.where(who)).filter((part) => part !== true);
    return parts.includes(false) ? false : joined(parts as Condition[], ' and ', true);
  },
});

function joined(parts: Condition[], word: ' and ' | ' or ', none: boolean): Where {
  if (parts.length === 0) return none;
  return parts.length === 1 ? (parts[0] as Condition) : sql<boolean>`(${sql.join(parts, sql.raw(word))})`;
}

export const asCondition = (where: Where): Condition => (typeof where === 'boolean' ? sql<boolean>`${sql.raw(String(where))}` : where);

const joinWords = (words: readonly string[], join: string) => [...new Set(words.filter(Boolean))].join(` ${join} `);

/** The reason why a user is allowed: the first of several ways that is open. */
function grantedBy<F>(clause: Clause<F>, who: Person, facts: F): string {
  if (!clause.parts) return clause.words ?? '';
  const { join, clauses } = clause.parts;
  if (join === 'and')
    return joinWords(
      clauses.map((part) => grantedBy(part, who, facts)),
      'and',
    );
  const open = clauses.find((part) => part.allows(who, facts));
  return open ? grantedBy(open, who, facts) : '';
}

/** The words for what a refused user lacks. */
function lacking<F>(clause: Clause<F>, who: Person, facts: F): string {
  if (!clause.parts) return clause.words ?? '';
  const { join, clauses } = clause.parts;
  const closed = clauses.filter((part) => !part.allows(who, facts));
  return joinWords(
    closed.map((part) => lacking(part, who, facts)),
    join,
  );
}

/** The decision about a user and its reason, from the very clauses that decide. */
export function explain<F>(stated: Rule<F>, who: Person, facts: F): { allowed: boolean; reason: string } {
  const allowed = stated.people.allows(who, facts);
  return { allowed, reason: (allowed ? grantedBy : lacking)(stated.people, who, facts) || 'everybody who is signed in' };
}
