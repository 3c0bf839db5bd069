import { type Html, html } from '../platform/html.ts';

const product = 'Telltale';

export interface SignInButton {
  text: string;
  path: string;
}

/** The page frame for all signed-out pages: static HTML that works without script; its only script picks the theme (design 8, CSP). */
export function signedOutPage(title: string, body: Html, head?: Html): string {
  return `<!doctype html>${html`<html lang="en"><head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title}</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/signed-out.css"><script src="/theme.js"></script>${head ?? ''}
</head><body><main><a class="mark" href="/"><img src="/favicon.svg" alt="" width="40" height="40"><span>${product}</span></a>
<section class="card"><h1>${title}</h1>${body}</section></main></body></html>`}`;
}

const alert = (message: string | undefined) => (message ? html`<p class="alert" role="alert">${message}</p>` : '');

interface Field {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  value?: string | undefined;
  autocomplete?: string;
  help?: string;
  minlength?: number;
  autofocus?: boolean;
}

const field = ({ name, label, type = 'text', value, autocomplete = 'off', help, minlength, autofocus }: Field) => html`<label>${label}
<input name="${name}" type="${type}" value="${value ?? ''}" autocomplete="${autocomplete}" required${minlength ? html` minlength="${minlength}"` : ''}${autofocus ? html` autofocus` : ''}${type === 'email' || name === 'code' ? html` spellcheck="false" autocapitalize="none"` : ''}>
${help ? html`<small>${help}</small>` : ''}</label>`;

/** screens 2: one button for each enabled method; it is a link, so that a plain navigation opens the provider. */
const methodButtons = (buttons: readonly SignInButton[], next = './') =>
  buttons.map(({ text, path }) => html`<p><a class="way" href="${path}?next=${encodeURIComponent(next)}">${text}</a></p>`);

export interface LoginView {
  email?: string | undefined;
  next: string;
  message?: string | undefined;
  isPasswordLoginEnabled: boolean;
  buttons: readonly SignInButton[];
}

export const loginForm = ({ email, next, message, isPasswordLoginEnabled, buttons }: LoginView) => html`${alert(message)}
${methodButtons(buttons, next)}${isPasswordLoginEnabled && buttons.length > 0 ? html`<hr>` : ''}
${
  isPasswordLoginEnabled
    ? html`<form method="post" action="/login?next=${encodeURIComponent(next)}">
${field({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username', autofocus: !email })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', autofocus: Boolean(email) })}
<label class="check"><input type="checkbox" name="remember" value="on" checked> Remember me</label>
<button type="submit">Log In</button></form>
<p id="passkey" hidden><button type="button" class="way">Use a passkey</button></p>
<p class="aside"><a href="/forgot">I forgot my password</a></p><script src="/passkey.js" defer></script>`
    : buttons.length > 0
      ? ''
      : html`<p>Password login is not enabled for your organization.</p>`
}`;

/** The code form has a page of its own after a correct password, so that the password is not typed again. */
export const codeForm = ({ next, ticket, message }: { next: string; ticket: string; message: string }) => html`${alert(message)}
<form method="post" action="/login?next=${encodeURIComponent(next)}">
<input type="hidden" name="ticket" value="${ticket}">
${field({ name: 'code', label: 'Code', autocomplete: 'one-time-code', autofocus: true, help: 'Six digits of your authenticator app, or a recovery code.' })}
<button type="submit">Log In</button></form><p class="aside"><a href="/login">Back to login</a></p>`;

export const ldapForm = ({ email, next, message }: Pick<LoginView, 'email' | 'next' | 'message'>) => html`${alert(message)}
<form method="post" action="/ldap/login?next=${encodeURIComponent(next)}">
${field({ name: 'email', label: 'Email or user name', value: email, autocomplete: 'username', autofocus: !email })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', autofocus: Boolean(email) })}
<button type="submit">Log In</button></form><p class="aside"><a href="/login">Back to login</a></p>`;

export interface SetupView {
  code?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  org_name?: string | undefined;
  message?: string | undefined;
}

export const setupForm = ({ code, name, email, org_name, message }: SetupView) => html`<p>Welcome to ${product}!</p>
<p>Before you can use your instance, you need to do a quick setup.</p>${alert(message)}
<form method="post" action="/setup">
${field({ name: 'code', label: 'One-time code', value: code, help: 'Printed on the console when the server started.', autofocus: !code })}
<h2>Admin User</h2>
${field({ name: 'name', label: 'Name', value: name, autocomplete: 'name' })}
${field({ name: 'email', label: 'Email Address', type: 'email', value: email, autocomplete: 'username' })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', minlength: 6 })}
<h2>General</h2>
${field({ name: 'org_name', label: 'Organization Name', value: org_name, autocomplete: 'organization', help: 'Used in email notifications and the UI.' })}
<button type="submit">Setup</button></form>`;

export const forgotForm = (message?: string) => html`${alert(message)}<form method="post" action="/forgot">
<p>Enter the email address you used for this account:</p>
${field({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', autofocus: true })}
<button type="submit">Reset my password</button></form><p class="aside"><a href="/login">Back to login</a></p>`;

export const forgotDone = html`<p role="status">If we found an account associated with that email address, you will find an email from us in your inbox shortly.</p>
<p class="aside"><a href="/login">Back to login</a></p>`;

const passwordForm = (action: string, intro: string, button: string, message?: string) => html`<p>${intro}</p>${alert(message)}
<form method="post" action="${action}">
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', minlength: 6, autofocus: true })}
<button type="submit">${button}</button></form>`;

interface LinkView {
  token: string;
  message?: string | undefined;
  buttons: readonly SignInButton[];
  isPasswordLoginEnabled: boolean;
}

export const resetForm = ({ token, message }: LinkView) =>
  passwordForm(`/reset/${encodeURIComponent(token)}`, 'Enter your new password:', 'Change my password', message);

/** screens 2: an invitation is accepted with a new password or with a first sign-in through a provider. */
export const inviteForm = ({ token, message, buttons, isPasswordLoginEnabled }: LinkView) => {
  const action = `/invite/${encodeURIComponent(token)}`;
  const isEither = buttons.length > 0;
  if (!isPasswordLoginEnabled) return html`<p>To create your account, please login with your SSO provider.</p>${methodButtons(buttons)}`;
  const intro = `To create your account, please choose a password${isEither ? ' or login with your SSO provider' : ''}.`;
  return html`${passwordForm(action, intro, 'Set Password', message)}${isEither ? html`<hr>${methodButtons(buttons)}` : ''}`;
};

export const linkFault = (message: string) => html`${alert(message)}<p class="aside"><a href="/login">Go to login</a></p>`;

export const verified = html`<p>Thanks for verifying your email address.</p>
<p>You will be redirected back to the app within a few seconds. <a href="/">Click here</a> if you are not redirected.</p>`;
