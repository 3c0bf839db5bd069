import type { Ctx } from './context.ts';

/**
 * Left tells right without knowing it: a room declares a signal, rooms to its right react to it in the same transaction, so
 * either everything happened or nothing. A reaction that throws refuses what the signal announces. What may take long is
 * queued by the reaction as a job.
 */
export interface Signal<P> {
  name: string;
  reactions: Set<Reaction<P>>;
}
export type Reaction<P> = (tx: Ctx, payload: P) => Promise<unknown>;

export const defineSignal = <P>(name: string): Signal<P> => ({ name, reactions: new Set() });

/** Belongs in the floor plan (app.ts for what the console does, jobs.ts for what a worker does). Answers how to stop listening. */
export function on<P>(signal: Signal<P>, reaction: Reaction<P>): () => void {
  signal.reactions.add(reaction);
  return () => void signal.reactions.delete(reaction);
}

export async function emit<P>(tx: Ctx, signal: Signal<P>, payload: P): Promise<void> {
  if (!tx.db.isTransaction) throw new Error(`${signal.name} was told outside of a transaction.`);
  for (const react of signal.reactions) await react(tx, payload);
}
