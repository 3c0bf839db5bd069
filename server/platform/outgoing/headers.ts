import { validateHeaderName, validateHeaderValue } from 'node:http';
import { OutgoingError } from './error.ts';

/** These make the message, or say who is being spoken to: they are the door's own. */
const own = new Set(
  'accept-encoding connection content-length expect host http2-settings keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);
/** All that another server is told about the caller. */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** Names in small letters; the last of two equal ones counts. */
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

/** A redirect to another origin takes no credentials along, in whichever header they are. */
export const withoutCredentials = (headers: Map<string, string>): Map<string, string> =>
  new Map([...headers].filter(([name]) => harmless.has(name)));
