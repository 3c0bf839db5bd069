import { validateHeaderName, validateHeaderValue } from 'node:http';
import { OutgoingError } from './error.ts';

/** Headers that frame the message or name its target: only this module sets them. */
const own = new Set(
  'accept-encoding connection content-length expect host http2-settings keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);
/** The only headers that are sent on to another server. */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** Normalises names to lower case; the last of two equal ones counts. */
export function requestHeaders(given: Record<string, string>): Map<string, string> {
  const headers = new Map([
    ['accept', '*/*'],
    ['user-agent', 'Telltale'],
  ]);
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (own.has(key)) throw new OutgoingError('refused', `The header '${name}' can't be set.`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (cause) {
      throw new OutgoingError('refused', `The header '${name.slice(0, 100)}' has characters that are not allowed.`, cause);
    }
    headers.set(key, value);
  }
  return headers;
}

/** A redirect to another origin carries no credentials, in whichever header they are. */
export const withoutCredentials = (headers: Map<string, string>): Map<string, string> =>
  new Map([...headers].filter(([name]) => harmless.has(name)));
