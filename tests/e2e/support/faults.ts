import type { BrowserContext, ConsoleMessage } from 'playwright-core';

/** What must never happen unseen: an error of the page or its console, a breach of the content security policy, a failing server. */
export interface Faults {
  /** What a journey brings about on purpose; from now on it is no fault. */
  allow(pattern: RegExp): void;
  list(): string[];
}

export async function watchFaults(context: BrowserContext): Promise<Faults> {
  const found: string[] = [];
  const allowed: RegExp[] = [];
  const note = (fault: string) => {
    if (!allowed.some((pattern) => pattern.test(fault))) found.push(fault);
  };

  context.on('weberror', (error) => note(`page error: ${error.error().stack ?? error.error().message}`));
  context.on('console', (message) => isFault(message) && note(`console: ${message.text()} (${message.location().url})`));
  context.on('response', (response) => response.status() >= 500 && note(`server: ${response.status()} of ${response.url()}`));
  await context.exposeBinding('reportBreach', (_, breach: string) => note(`content security policy: ${breach}`));
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    window.reportBreach(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sourceFile))`);

  return { allow: (pattern) => void allowed.push(pattern), list: () => [...found] };
}

/** A warning is the browser's or a library's word that something is used wrongly. */
const isFault = (message: ConsoleMessage) => ['error', 'warning', 'assert'].includes(message.type());
