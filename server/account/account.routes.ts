import { safeNext } from '@telltale/domain/session/safe-next.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getSettings } from '../organizations/organizations.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { type Html, html } from '../platform/html.ts';
import type { Http, HttpCtx, PageRoute } from '../platform/http/http.ts';
import { parseBody } from '../platform/http/parse.ts';
import { endSession } from '../session/sessions.ts';
import { forgotDone, forgotForm, inviteForm, linkFault, loginForm, resetForm, setupForm, signedOutPage, verified } from './pages.ts';
import { choosePassword, forgot, requireLink, verifyEmail } from './recovery.ts';
import { isSetupNeeded, Setup, setUp } from './setup.ts';
import { signIn } from './sign-in.ts';

const checked = z
  .union([z.boolean(), z.string(), z.null()])
  .optional()
  .transform((value) => value !== undefined && value !== null && value !== false && value !== '');
const Login = z.object({ email: z.string().max(320).default(''), password: z.string().max(1024).default(''), remember: checked });
const Forgot = z.object({ email: z.string().max(320).default('') });
const Password = z.object({ password: z.string().max(1024).optional() });

const texts = (body: unknown) =>
  Object.fromEntries(
    Object.entries((body ?? {}) as Record<string, unknown>).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

const isForm = (request: FastifyRequest) => String(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;
const anyone = (method: PageRoute['method'], path: string, summary: string): PageRoute => ({
  method,
  path,
  needs: 'anyone',
  form: method === 'POST',
  summary,
});

/** design 8: each of these takes a form or JSON. JSON is answered as JSON; a form by a redirect or its page with the message. */
export function accountRoutes(http: Http): void {
  http.page(anyone('GET', '/login', 'Sign-in page.'), async (ctx, request, reply) => {
    if (await isSetupNeeded(ctx.db)) return reply.redirect('/setup');
    if (ctx.identity.kind === 'user') return goOn(request, reply);
    return showPage(reply, 200, 'Login to Telltale', await loginView(ctx, request));
  });
  http.page(anyone('POST', '/login', 'Signs in: email, password, remember.'), async (ctx, request, reply) => {
    if (await isSetupNeeded(ctx.db)) throw new AppError(400, 'set_up', 'This installation is not set up yet.');
    return answer(request, reply, 'Login to Telltale', {
      act: () => signIn(ctx, parseBody(Login, request.body)),
      retry: (message) => loginView(ctx, request, message, texts(request.body).email),
      done: () => goOn(request, reply),
    });
  });
  http.page(anyone('GET', '/logout', 'Ends the session and goes to the sign-in page.'), async (ctx, request, reply) => {
    // A foreign page must not be able to sign somebody out by an image or a frame.
    if (request.headers['sec-fetch-site'] !== 'cross-site') await endSession(ctx);
    return reply.redirect('/login');
  });

  http.page(anyone('GET', '/setup', 'First-run set-up page.'), async (ctx, request, reply) => {
    if (!(await isSetupNeeded(ctx.db))) return reply.redirect('/');
    return showPage(reply, 200, 'Telltale Initial Setup', setupForm({ code: queryText(request, 'code') }));
  });
  http.page(
    anyone('POST', '/setup', 'Creates the first administrator: code, name, email, password, org_name.'),
    async (ctx, request, reply) => {
      if (!(await isSetupNeeded(ctx.db))) throw notFound('Page');
      return answer(request, reply, 'Telltale Initial Setup', {
        act: () => setUp(ctx, parseBody(Setup, request.body)),
        retry: (message) => setupForm({ ...texts(request.body), message }),
        done: () => reply.redirect('/'),
      });
    },
  );

  http.page(anyone('GET', '/forgot', 'Password reset request page.'), async (ctx, _request, reply) => {
    if (!(await getSettings(ctx)).auth_password_login_enabled) throw notFound('Page');
    return showPage(reply, 200, 'Password Reset', forgotForm());
  });
  http.page(anyone('POST', '/forgot', 'Sends a password reset to email, if it has an account.'), (ctx, request, reply) =>
    answer(request, reply, 'Password Reset', {
      act: () => forgot(ctx, parseBody(Forgot, request.body).email),
      retry: forgotForm,
      done: () => showPage(reply, 200, 'Password Reset', forgotDone),
    }),
  );

  for (const [purpose, title, form] of [
    ['invite', 'Welcome to Telltale!', inviteForm],
    ['reset', 'Password Reset', resetForm],
  ] as const) {
    http.page(anyone('GET', `/${purpose}/:token`, 'Page to choose a password.'), (ctx, request, reply) =>
      showLink(reply, title, async () => {
        await requireLink(ctx, purpose, tokenOf(request));
        return form(tokenOf(request));
      }),
    );
    http.page(anyone('POST', `/${purpose}/:token`, 'Sets the password and signs in.'), (ctx, request, reply) =>
      answer(request, reply, title, {
        act: () => choosePassword(ctx, purpose, tokenOf(request), parseBody(Password, request.body).password),
        retry: async (message) => {
          const works = await requireLink(ctx, purpose, tokenOf(request)).then(
            () => true,
            () => false,
          );
          return works ? form(tokenOf(request), message) : linkFault(message);
        },
        done: () => reply.redirect('/'),
      }),
    );
  }
  http.page(anyone('GET', '/verify/:token', 'Confirms an e-mail address.'), (ctx, request, reply) =>
    showLink(reply, 'E-mail Verified', async () => {
      await verifyEmail(ctx, tokenOf(request));
      return verified;
    }),
  );
}

interface Answer {
  act(): Promise<void>;
  retry(message: string): Html | Promise<Html>;
  done(): FastifyReply | Promise<FastifyReply>;
}

async function answer(request: FastifyRequest, reply: FastifyReply, title: string, { act, retry, done }: Answer) {
  if (!isForm(request)) {
    await act();
    return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send('{}');
  }
  try {
    await act();
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return showPage(reply, error.status, title, await retry(error.message));
  }
  return done();
}

async function showLink(reply: FastifyReply, title: string, body: () => Promise<Html>): Promise<FastifyReply> {
  try {
    const shown = await body();
    const head = shown === verified ? html`<meta http-equiv="refresh" content="5; url=/">` : undefined;
    return showPage(reply, 200, title, shown, head);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return showPage(reply, error.status, 'This link does not work', linkFault(error.message));
  }
}

const showPage = (reply: FastifyReply, status: number, title: string, body: Html, head?: Html) =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(signedOutPage(title, body, head));

/** A parameter given twice is none. */
function queryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

const nextOf = (request: FastifyRequest) => safeNext(queryText(request, 'next'));

/** safeNext answers relative to the site's root; a header holds only what an address may, so the rest is encoded. */
function goOn(request: FastifyRequest, reply: FastifyReply) {
  const { pathname, search, hash } = new URL(nextOf(request), 'http://our.site/');
  return reply.redirect(`${pathname}${search}${hash}`);
}

async function loginView(ctx: HttpCtx, request: FastifyRequest, message?: string, email?: string): Promise<Html> {
  const { auth_password_login_enabled } = await getSettings(ctx);
  return loginForm({ next: nextOf(request), message, email, isPasswordLoginEnabled: auth_password_login_enabled });
}
