import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getSettings } from '../organizations/organizations.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { type Html, html } from '../platform/html.ts';
import type { Http, HttpCtx } from '../platform/http/http.ts';
import { parseBody } from '../platform/http/parse.ts';
import { methods, signInButtons } from './methods/index.ts';
import { codeForm, forgotDone, forgotForm, inviteForm, linkFault, loginForm, resetForm, setupForm, verified } from './pages.ts';
import { choosePassword, forgot, requireLink, verifyEmail } from './recovery.ts';
import { anyone, goTo, isForm, nextOf, queryText, showPage } from './replies.ts';
import { isSetupNeeded, Setup, setUp } from './setup.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

const checked = z
  .union([z.boolean(), z.string(), z.null()])
  .optional()
  .transform((value) => value !== undefined && value !== null && value !== false && value !== '');
const Login = z.object({
  email: z.string().max(320).default(''),
  password: z.string().max(1024).default(''),
  remember: checked,
  /** The second factor: a code from the authenticator app or a recovery code. */
  code: z.string().max(100).optional(),
  /** Identifies a sign-in with a correct password that still needs its code, when the code has a page of its own. */
  ticket: z.string().max(100).optional(),
});
const Forgot = z.object({ email: z.string().max(320).default('') });
const Password = z.object({ password: z.string().max(1024).optional() });

const texts = (body: unknown) =>
  Object.fromEntries(
    Object.entries((body ?? {}) as Record<string, unknown>).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;
/**
 * True when a person or a script opened the address. An image or a frame must not sign its viewers out, neither on a foreign page nor in a
 * text box of ours. Browsers send the purpose of a request only on https and localhost; elsewhere the accepted types identify images.
 */
function isMeant(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': target, 'sec-fetch-site': site, accept = '' } = headers;
  if (site === 'cross-site' || mode === 'no-cors') return false;
  if (target !== undefined) return target === 'document' || target === 'empty';
  return !/^(?:image|audio|video|font|text\/css)\b/.test(accept);
}

/** design 8: these routes take a form or JSON. JSON gets a JSON answer; a form gets a redirect or its page with the message. */
export function accountRoutes(http: Http): void {
  for (const method of methods) method.routes(http);
  http.page(anyone('GET', '/login', 'Sign-in page.'), async (ctx, request, reply) => {
    if (await isSetupNeeded(ctx.db)) return reply.redirect('/setup');
    if (ctx.identity.kind === 'user') return goTo(reply, nextOf(request));
    return showPage(reply, 200, 'Login to Telltale', await loginView(ctx, request));
  });
  http.page(anyone('POST', '/login', 'Signs in: email, password, remember.'), async (ctx, request, reply) => {
    if (await isSetupNeeded(ctx.db)) throw new AppError(400, 'set_up', 'This installation is not set up yet.');
    return answer(request, reply, 'Login to Telltale', {
      act: () => signIn(ctx, parseBody(Login, request.body)),
      retry: (message, { body }) => {
        const ticket = typeof body?.ticket === 'string' ? body.ticket : texts(request.body).ticket;
        if (body?.second_factor === true && ticket) return codeForm({ next: nextOf(request), ticket, message });
        return loginView(ctx, request, message, texts(request.body).email);
      },
      done: () => goTo(reply, nextOf(request)),
    });
  });
  http.page(anyone('GET', '/logout', 'Ends the session and goes to the sign-in page.'), async (ctx, request, reply) => {
    const address = isMeant(request.headers) ? await signOut(ctx) : undefined;
    return reply.redirect(address ?? '/login');
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
        return form(await linkView(ctx, request));
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
          return works ? form({ ...(await linkView(ctx, request)), message }) : linkFault(message);
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
  retry(message: string, error: AppError): Html | Promise<Html>;
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
    return showPage(reply, error.status, title, await retry(error.message, error));
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

async function linkView(ctx: HttpCtx, request: FastifyRequest) {
  const settings = await getSettings(ctx);
  const isPasswordLoginEnabled = settings.auth_password_login_enabled;
  return { token: tokenOf(request), buttons: signInButtons(settings), isPasswordLoginEnabled };
}

async function loginView(ctx: HttpCtx, request: FastifyRequest, message?: string, email?: string): Promise<Html> {
  const settings = await getSettings(ctx);
  return loginForm({
    next: nextOf(request),
    message,
    email,
    isPasswordLoginEnabled: settings.auth_password_login_enabled,
    buttons: signInButtons(settings),
  });
}
