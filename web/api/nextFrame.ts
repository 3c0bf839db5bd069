const longestFrameMs = 60;

/** Yields to the browser's waiting tasks. */
export function breath(): Promise<void> {
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

/** Chrome runs ready work before drawing, for up to a tenth of a second: so a frame is awaited. */
export function nextFrame(): Promise<void> {
  if (typeof requestAnimationFrame === 'undefined' || document.hidden) return breath();
  return new Promise((done) => {
    const late = setTimeout(done, longestFrameMs);
    requestAnimationFrame(() => {
      clearTimeout(late);
      void breath().then(done);
    });
  });
}
