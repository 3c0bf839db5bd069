import { safeNext } from '@telltale/domain/session/safe-next.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../platform/errors.ts';
import type { Html } from '../platform/html.ts';
import type { HttpCtx, PageRoute } from '../platform/http/http.ts';
import { noteFailedSignIn } from './failed-sign-in.ts';
import { linkFault, signedOutPage } from './pages.ts';

export const anyone = (method: PageRoute['method'], path: string, summary: string): PageRoute => ({
  method,
  path,
  needs: 'anyone',
  form: method === 'POST',
  summary,
});

export const isForm = (request: FastifyRequest) =>
  String(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');

export const showPage = (reply: FastifyReply, status: number, title: string, body: Html, head?: Html) =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(signedOutPage(title, body, head));

/** Reads a query parameter; one that is given twice counts as missing. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** The page to open after sign-in: always on this site (security 14). */
export const nextOf = (request: FastifyRequest) => safeNext(queryText(request, 'next'));

/** Redirects to a path from safeNext; the URL parser encodes characters that a header must not contain. */
export function goTo(reply: FastifyReply, next: string) {
  const { pathname, search, hash } = new URL(next, 'http://our.site/');
  return reply.redirect(`${pathname}${search}${hash}`);
}

/** A provider that refused, or one that we did not believe: the page says so and leads back. */
export async function signInFailed(ctx: HttpCtx, method: string, reply: FastifyReply, error: AppError) {
  ctx.log.info({ request: ctx.request.id, address: ctx.request.address, err: error.message }, 'a sign-in failed');
  // A provider that is away is no attempt of anybody.
  if (error.status < 500) await noteFailedSignIn(ctx, { method, reason: error.message });
  return showPage(reply, error.status, 'Login failed', linkFault(error.message));
}
