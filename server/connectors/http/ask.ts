import { OutgoingError, type OutgoingHttp, type OutgoingRequest, type OutgoingResponse } from '../../platform/outgoing.ts';
import { QueryError } from '../connector.ts';

/** A request whose failures are texts for whoever wrote the query, those in the middle of the answer too. */
export async function ask(http: OutgoingHttp, url: string | URL, request: OutgoingRequest): Promise<OutgoingResponse> {
  const response = await http.fetch(String(url), request).catch(rethrow);
  return { ...response, body: told(response.body), text: () => response.text().catch(rethrow) };
}

/** The same, of which only 200 and its kind is an answer. */
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

/** The first words of an answer, for an error text. */
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
