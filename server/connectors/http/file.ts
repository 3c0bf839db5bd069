import type { OutgoingResponse } from '../../platform/outgoing.ts';
import { askOk } from './ask.ts';
import type { WebRun } from './web-connector.ts';
import { scalar, urlOption } from './yaml-query.ts';

/** The options of a query that reads a file from a web server. */
export const fileOptions = { url: urlOption, 'user-agent': scalar.optional() };

/** Requests the file of a query. */
export const askForFile = (
  { url, 'user-agent': agent }: { url: string; 'user-agent'?: string | undefined },
  { source, env, signal }: WebRun,
  { accept, maxBytes }: { accept?: string; maxBytes: number },
): Promise<OutgoingResponse> =>
  askOk(env.http, source.addressOf(url), {
    signal,
    redirects: 5,
    headers: { ...(accept && { accept }), ...(agent && { 'user-agent': agent }), ...source.authorization() },
    allowInvalidCertificate: source.allowsInvalidCertificate(undefined),
    maxBytes,
  });
