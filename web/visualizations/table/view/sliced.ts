/** Work in small steps, each yielding how far it is (0 to 1), so that a million rows never hold up the page. */
export type Sliced<T> = Generator<number, T, void>;

const sliceMs = 8;

/** All at once, for what is small. */
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

/** In slices of a few milliseconds; the browser draws and listens between them. Undefined when it was given up. */
export async function runSliced<T>(work: Sliced<T>, { signal, onProgress }: SlicedOptions): Promise<T | undefined> {
  while (!signal.aborted) {
    const until = performance.now() + sliceMs;
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (performance.now() < until) continue;
      onProgress(step.value);
      break;
    }
    await breath();
  }
  return undefined;
}

/** A part of longer work, told on the scale of the whole. */
export function* part<T>(work: Sliced<T>, from: number, to: number): Sliced<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield from + (to - from) * step.value;
  }
}

function breath(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}
