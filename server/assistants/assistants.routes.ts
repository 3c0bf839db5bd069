import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { FastifyRequest } from 'fastify';
import { recordEvent } from '../events/events.ts';
import type { Ctx } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Http, PageRoute } from '../platform/http/http.ts';
import { version } from '../version.ts';
import { ApiRefusal, OwnApi } from './own-api.ts';
import { type Tool, tools } from './tools.ts';

/** Loaded for the first assistant: with its schema checkers the library is a tenth of the modules that a start would load. */
const loadProtocol = () =>
  Promise.all([import('@modelcontextprotocol/sdk/server/mcp.js'), import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js')]);

const route = (method: PageRoute['method'], summary: string): PageRoute => ({
  method,
  path: '/mcp',
  needs: 'signed_in',
  signedOutStatus: 401,
  summary,
});

/**
 * The Model Context Protocol over streamable HTTP: tools for an assistant that has a person's key. Nothing is kept between requests, so any
 * process can answer any of them.
 */
export function assistantRoutes(http: Http): void {
  http.page(route('POST', 'Tools for assistants (Model Context Protocol), with a person’s key.'), async (ctx, request, reply) => {
    requireKey(ctx);
    const [{ McpServer }, { WebStandardStreamableHTTPServerTransport }] = await loadProtocol();
    const server = withTools(new McpServer({ name: 'telltale', version }), ctx, new OwnApi(http.server, request));
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    // The types of the library do not fit exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    try {
      const answer = await transport.handleRequest(asWebRequest(ctx, request), { parsedBody: request.body });
      const body = await answer.text();
      return await reply.code(answer.status).headers(Object.fromEntries(answer.headers)).header('cache-control', 'no-store').send(body);
    } finally {
      await server.close();
    }
  });
  for (const method of ['GET', 'DELETE'] as const) {
    http.page(route(method, 'Not used: no stream and no session is kept.'), (ctx, _request, reply) => {
      requireKey(ctx);
      reply.header('allow', 'POST');
      throw new AppError(405, 'method_not_allowed', 'This address answers POST.');
    });
  }
}

/** Requires an API key. A browser session is not enough: a foreign page could send requests with it. */
function requireKey({ identity }: Ctx): void {
  if (identity.kind !== 'user' || identity.via !== 'key')
    throw new AppError(401, 'key_needed', 'Send the API key of a person: Authorization: Key ….');
}

function asWebRequest({ request: { origin } }: Ctx, { headers, url }: FastifyRequest): Request {
  const plain = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && name !== 'content-length' ? [[name, value]] : [],
  );
  return new Request(new URL(url, origin), { method: 'POST', headers: plain });
}

function withTools(server: McpServer, ctx: Ctx, api: OwnApi): McpServer {
  for (const [name, each] of Object.entries(tools)) {
    const { title, description, input, isReading } = each;
    server.registerTool(
      name,
      { title, description, inputSchema: input, annotations: { readOnlyHint: isReading, destructiveHint: false } },
      async (given: Record<string, unknown>) => called(ctx, api, name, each, given),
    );
  }
  return server;
}

/** Every tool call is recorded as an event with user, address and outcome, never with texts or values (W44). */
async function called(ctx: Ctx, api: OwnApi, name: string, { run }: Tool, given: Record<string, unknown>) {
  const about = Object.fromEntries(Object.entries(given).filter(([key]) => /(^|_)id$/.test(key))) as Record<string, string | number>;
  try {
    const answer = await run(api, given);
    await recordEvent(ctx, 'call_tool', 'mcp', name, { ...about, outcome: 'done' });
    return { content: [{ type: 'text' as const, text: JSON.stringify(answer) }] };
  } catch (error) {
    if (!(error instanceof ApiRefusal)) ctx.log.error({ err: error, tool: name }, 'a tool of an assistant failed');
    await recordEvent(ctx, 'call_tool', 'mcp', name, { ...about, outcome: 'refused' });
    const message = error instanceof ApiRefusal ? error.message : 'This did not work.';
    return { isError: true, content: [{ type: 'text' as const, text: message }] };
  }
}
