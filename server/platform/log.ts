import pino, { type Logger } from 'pino';

export type { Logger };

/** Structured lines on standard output; the fields that could carry a secret never get there. */
export function createLogger(level: string, fields: Record<string, string | number> = {}): Logger {
  return pino({
    level,
    base: fields,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'password',
        '*.password',
        'api_key',
        '*.api_key',
        'authorization',
        '*.authorization',
        'cookie',
        '*.cookie',
        'token',
        '*.token',
      ],
      censor: '[hidden]',
    },
    formatters: { level: (label) => ({ level: label }) },
  });
}
