import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordEvent } from '../events/events.ts';
import { notFound, notSignedIn } from '../platform/errors.ts';
import { isKnownTag } from '../platform/http/entity-tags.ts';
import type { Authentication, Http } from '../platform/http/http.ts';

interface PageFile {
  body: Buffer;
  gzip: Buffer | undefined;
  br: Buffer | undefined;
  type: string;
  etag: string;
  isForever: boolean;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
  '.wasm': 'application/wasm',
};

/** security 28: the served files are a fixed list read at start; no path ever reaches the file system. */
function readManifest(root: string): Map<string, PageFile> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = new Set(files.map((entry) => join(entry.parentPath, entry.name)));
  const read = (path: string) => (paths.has(path) ? readFileSync(path) : undefined);
  const manifest = new Map<string, PageFile>();
  for (const path of paths) {
    const type = types[extname(path)];
    if (!type) continue;
    const body = readFileSync(path);
    const address = `/${relative(root, path).split(sep).join('/')}`;
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 24)}"`;
    manifest.set(address, {
      body,
      gzip: read(`${path}.gz`),
      br: read(`${path}.br`),
      type,
      etag,
      isForever: address.startsWith('/static/'),
    });
  }
  return manifest;
}

/**
 * server-behaviour 1.4 and 16.6: only these pages may stand inside other sites. The shell holds no data, so it is served to anybody; the
 * key in the address gives access to the data that the page requests.
 */
const sharedPages = [
  { path: '/public/dashboards/:token', summary: 'A shared dashboard.' },
  { path: '/embed/query/:id/visualization/:visualizationId', summary: 'A visualization, for whoever has the key of its query.' },
];

/** Serves built files by their exact address; every other page address is the console itself, for signed-in users. */
export function pageRoutes(http: Http, webRoot: string, authentication: Authentication): void {
  const manifest = webRoot ? readManifest(webRoot) : new Map<string, PageFile>();
  const shell = manifest.get('/index.html');
  for (const page of sharedPages) {
    http.page({ method: 'GET', needs: 'anyone', embeddable: true, ...page }, async (ctx, request, reply) => {
      if (!shell) throw notFound('Page');
      // The address of a shared dashboard is a secret: its opening is recorded by the dashboard's id, elsewhere.
      if (ctx.identity.kind !== 'nobody' && page.path.startsWith('/embed/')) {
        const referer = String(request.headers.referer ?? '').slice(0, 500);
        await recordEvent(ctx, 'view', 'embed', request.url.split('?', 1)[0] ?? '', { embed: true, referer });
      }
      return sendFile(request, reply, shell);
    });
  }
  http.server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const file = isRead && path !== '/index.html' ? manifest.get(path) : undefined;
    if (file) return sendFile(request, reply, file);
    const identity = await authentication.identify(request, { needs: 'signed_in', path });
    const isCall = /(^|\/)api\//.test(path) || request.headers['x-requested-with'] === 'XMLHttpRequest';
    if (identity.kind === 'nobody' && isRead && !isCall && !extname(path)) {
      const here = `${request.protocol}://${request.host}${request.url}`;
      return reply.redirect(`/login?next=${encodeURIComponent(here)}`);
    }
    if (identity.kind === 'nobody') throw notSignedIn();
    if (!isRead || isCall || !shell || extname(path)) throw notFound('Page');
    authentication.refreshCookies(request, reply, identity);
    return sendFile(request, reply, shell);
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile) {
  reply.header('etag', file.etag).header('vary', 'Accept-Encoding');
  reply.header('cache-control', file.isForever ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (isKnownTag(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  reply.type(file.type);
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (file.br && isAccepted(accepted, 'br')) return reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && isAccepted(accepted, 'gzip')) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.header('content-encoding', 'identity').send(file.body);
}

/** The encoding is named, and not refused by q=0. */
const isAccepted = (accepted: string, encoding: string) =>
  accepted.split(',').some((part) => new RegExp(`^\\s*${encoding}\\s*(;(?!\\s*q=0(\\.0*)?\\s*$)|$)`, 'i').test(part));
