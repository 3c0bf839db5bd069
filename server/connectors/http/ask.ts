import { OutgoingError, type OutgoingHttp, type OutgoingRequest, type OutgoingResponse } from '../../platform/outgoing.ts';
import { QueryError } from '../connector.ts';

/** Sends a request; its errors are messages for the author of the query, also in the middle of the body. */
export async function ask(http: OutgoingHttp, url: string | URL, request: OutgoingRequest): Promise<OutgoingResponse> {
  const response = await http.fetch(String(url), request).catch(rethrow);
  return { ...response, body: told(response.body), text: () => response.text().catch(rethrow) };
}

/** Like `ask`, but any status other than 2xx is an error. */
export async function askOk(http: OutgoingHttp, url: string | URL, request: OutgoingRequest): Promise<OutgoingResponse> {
  const response = await ask(http, url, request);
  if (response.status >= 200 && response.status < 300) return response;
  if (response.status < 400) {
    response.discard();
    throw new QueryError(
      `Endpoint returned unexpected status code (${response.status}).${response.headers.location ? ' Redirects are not followed.' : ''}`,
    );
  }
  throw new QueryError(`Failed to execute query. Return Code: ${response.status} Reason: ${await openingOf(response)}`);
}

/** Returns the beginning of a response, for an error message. */
export async function openingOf(response: OutgoingResponse, length = 500): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > length) break;
    }
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
  }
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

async function* told(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    rethrow(error);
  }
}

function rethrow(error: unknown): never {
  throw error instanceof OutgoingError ? new QueryError(error.message, {}, error) : error;
}

export const basicAuth = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
