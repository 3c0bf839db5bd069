import { type Html, html } from '../platform/html.ts';

const product = 'Telltale';

/** The card under the mark that all signed-out pages share: static HTML that works without script; the only one picks the theme (design 8, CSP). */
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

export interface LoginView {
  email?: string | undefined;
  next: string;
  message?: string | undefined;
  isPasswordLoginEnabled: boolean;
}

export const loginForm = ({ email, next, message, isPasswordLoginEnabled }: LoginView) => html`${alert(message)}
${
  isPasswordLoginEnabled
    ? html`<form method="post" action="/login?next=${encodeURIComponent(next)}">
${field({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username', autofocus: !email })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', autofocus: Boolean(email) })}
<label class="check"><input type="checkbox" name="remember" value="on" checked> Remember me</label>
<button type="submit">Log In</button></form>
<p class="aside"><a href="/forgot">I forgot my password</a></p>`
    : html`<p>Password login is not enabled for your organization.</p>`
}`;

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
${field({ name: 'code', label: 'Set-up code', value: code, help: 'Printed on the console when the server started.', autofocus: !code })}
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

export const resetForm = (token: string, message?: string) =>
  passwordForm(`/reset/${encodeURIComponent(token)}`, 'Enter your new password:', 'Change my password', message);

export const inviteForm = (token: string, message?: string) =>
  passwordForm(`/invite/${encodeURIComponent(token)}`, 'To create your account, please choose a password.', 'Set Password', message);

export const linkFault = (message: string) => html`${alert(message)}<p class="aside"><a href="/login">Go to login</a></p>`;

export const verified = html`<p>Thanks for verifying your email address.</p>
<p>You will be redirected back to the app within a few seconds. <a href="/">Click here</a> if you are not redirected.</p>`;
