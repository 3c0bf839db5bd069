import type { Endpoint } from '@telltale/domain/endpoint.ts';
import { z } from 'zod';
import { html } from '../platform/html.ts';
import type { RegisteredRoute } from '../platform/http/http.ts';

const isEndpoint = (route: RegisteredRoute): route is Endpoint => 'reply' in route;

const groupOf = (endpoint: Endpoint) =>
  endpoint.path.split('/').filter((part) => part && part !== 'api' && !part.startsWith(':'))[0] ?? 'api';

function needText({ needs, readers }: Endpoint): string {
  const who = needs === 'anyone' ? 'anyone' : needs === 'signed_in' ? 'signed in' : typeof needs === 'string' ? needs : needs.join(' or ');
  return readers ? `${who}, ${readers.map((reader) => reader.replace('_', ' ')).join(', ')}` : who;
}

const shapeText = (schema: z.ZodType, io: 'input' | 'output') =>
  JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), (key, value) => (key === '$schema' ? undefined : value), 2);

const shape = (label: string, schema: z.ZodType | undefined, io: 'input' | 'output') =>
  schema ? html`<details><summary>${label}</summary><pre>${shapeText(schema, io)}</pre></details>` : '';

const row = (endpoint: Endpoint) => html`<article id="${endpoint.method}${endpoint.path}">
<h3><code class="method ${endpoint.method.toLowerCase()}">${endpoint.method}</code> <code>${endpoint.path}</code></h3>
<p>${endpoint.summary} <span class="needs">${needText(endpoint)}</span></p>
${shape('Path', endpoint.params, 'input')}${shape('Query string', endpoint.query, 'input')}${shape('Body', endpoint.body, 'input')}${shape('Answer', endpoint.reply, 'output')}
</article>`;

/** A readable page of every registered endpoint, from the contract that checks the calls. */
export function apiPage(routes: readonly RegisteredRoute[]): string {
  const groups = Map.groupBy(routes.filter(isEndpoint), groupOf);
  return `<!doctype html>${html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API – Telltale</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/signed-out.css"><script src="/theme.js"></script></head>
<body class="document"><main><p><a href="/">Telltale</a></p><h1>API</h1>
<p>Send your key as <code>Authorization: Key …</code>; it is on your <a href="/users/me">account page</a>. With a session cookie, writes also send the cookie
<code>csrf_token</code> back as <code>X-CSRF-TOKEN</code>. Errors are <code>{"message": "…"}</code>. The same as <a href="/api/openapi.json">OpenAPI</a>.</p>
<nav aria-label="Sections">${[...groups.keys()].map((name) => html`<a href="#section-${name}">${name}</a> `)}</nav>
${[...groups].map(([name, endpoints]) => html`<section><h2 id="section-${name}">${name}</h2>${endpoints.map(row)}</section>`)}
</main></body></html>`}`;
}
