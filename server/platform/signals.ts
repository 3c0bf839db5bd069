import type { Ctx } from './context.ts';

/**
 * Decouples rooms: a room declares a signal, and rooms to its right react to it in the same transaction, so either everything happens or
 * nothing. A reaction that throws refuses the announced change. Long work is queued by the reaction as a job.
 */
export interface Signal<P> {
  name: string;
  reactions: Set<Reaction<P>>;
}
export type Reaction<P> = (tx: Ctx, payload: P) => Promise<unknown>;

export const defineSignal = <P>(name: string): Signal<P> => ({ name, reactions: new Set() });

/** Binds a reaction; call it where reactions are registered. Returns a function that unbinds it. */
export function on<P>(signal: Signal<P>, reaction: Reaction<P>): () => void {
  signal.reactions.add(reaction);
  return () => void signal.reactions.delete(reaction);
}

export async function emit<P>(tx: Ctx, signal: Signal<P>, payload: P): Promise<void> {
  if (!tx.db.isTransaction) throw new Error(`${signal.name} was told outside of a transaction.`);
  for (const react of signal.reactions) await react(tx, payload);
}
