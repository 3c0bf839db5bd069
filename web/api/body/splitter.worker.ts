import { createSplitting, type FromSplitter, type ToSplitter } from './splitting.ts';

/** The part of a worker's global scope that is used here; the types of the page know only windows. */
interface Scope {
  onmessage: (message: { data: ToSplitter }) => void;
  postMessage(message: FromSplitter): void;
}

const scope = globalThis as unknown as Scope;
const split = createSplitting();
scope.onmessage = ({ data }) => {
  for (const answer of split(data)) scope.postMessage(answer);
};
