import { breath, nextFrame } from '../../../api/nextFrame.ts';

/** Work in small steps, each yielding the progress (0 to 1), so that a million rows never block the page. */
export type Sliced<T> = Generator<number, T, void>;

const sliceMs = 8;
const slicesPerFrame = 3;

/** Runs small work all at once. */
export function finish<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

interface SlicedOptions {
  signal: AbortSignal;
  onProgress: (progress: number) => void;
}

/** Runs work in slices of a few milliseconds; the browser handles events between them and draws between some. Undefined when aborted. */
export async function runSliced<T>(work: Sliced<T>, { signal, onProgress }: SlicedOptions): Promise<T | undefined> {
  for (let slice = 1; !signal.aborted; slice += 1) {
    const until = performance.now() + sliceMs;
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (performance.now() < until) continue;
      if (slice % slicesPerFrame === 0) onProgress(step.value);
      break;
    }
    await (slice % slicesPerFrame === 0 ? nextFrame() : breath());
  }
  return undefined;
}

/** A part of longer work, with its progress on the scale of the whole. */
export function* part<T>(work: Sliced<T>, from: number, to: number): Sliced<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield from + (to - from) * step.value;
  }
}
