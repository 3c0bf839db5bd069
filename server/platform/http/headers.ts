/**
 * design 8: scripts only from us, nothing inline and no eval; styles may be inline because the component library
 * writes them; frames only from ourselves and the help pages.
 */
export function securityHeaders(options: { helpOrigin: string | undefined; embeddable: boolean; https: boolean }): Record<string, string> {
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' http: https: data: blob:",
    // The console checks that the help pages answer before it shows their frame.
    `connect-src 'self'${options.helpOrigin ? ` ${options.helpOrigin}` : ''}`,
    "worker-src 'self' blob:",
    `frame-src 'self'${options.helpOrigin ? ` ${options.helpOrigin}` : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${options.embeddable ? '*' : "'self'"}`,
  ].join('; ');
  return {
    'content-security-policy': policy,
    ...(options.embeddable ? {} : { 'x-frame-options': 'sameorigin' }),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-download-options': 'noopen',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    ...(options.https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
