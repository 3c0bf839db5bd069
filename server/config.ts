import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';

/**
 * The only reader of the environment (design 3). Every fault is named at once, so that a start
 * fails with one message and not with one fault after another.
 */
const portNumber = z.coerce.number('must be a port number').int().min(0, 'must be a port number').max(65535, 'must be a port number');
const flag = z.enum(['', '0', '1', 'true', 'false'], 'must be 1 or 0').transform((value) => value === '1' || value === 'true');
const text = z.string().trim().min(1).optional();
const url = (...schemes: string[]) =>
  z
    .string()
    .trim()
    .refine(
      (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)),
      `must be a ${schemes.join(' or ')} address`,
    )
    .optional();
/** design 8: `sustained:burst`, or 0 for none. */
const rate = z
  .string()
  .trim()
  .regex(/^(0|[1-9]\d{0,8}:[1-9]\d{0,8})$/, 'must be 0 or two numbers, such as 10:200')
  .optional();
const list = z
  .string()
  .default('')
  .transform((value) => value.split(/[\s,]+/).filter(Boolean));
const isNetwork = (text: string) => {
  const [address = '', bits, ...more] = text.split('/');
  if (more.length > 0) return false;
  if (bits === undefined && ['loopback', 'linklocal', 'uniquelocal'].includes(address)) return true;
  return isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)));
};
const isOrigin = (text: string) => text === '*' || (URL.canParse(text) && new URL(text).origin === text);
const folder = z
  .string()
  .trim()
  .min(1)
  .transform((value) => resolve(value.startsWith('~/') ? `${homedir()}${value.slice(1)}` : value));

const Environment = z.object({
  PORT: portNumber.default(5000),
  HOST: z.string().trim().min(1).default('127.0.0.1'),
  MQTT_PORT: z.union([z.literal('auto'), portNumber], 'must be a port number or auto').default(1883),
  MQTT_HOST: z.string().trim().min(1).default('127.0.0.1'),
  MQTT_TLS_PORT: portNumber.optional(),
  MQTT_TLS_CERT: text,
  MQTT_TLS_KEY: text,
  MQTT_HOOKS_PORT: portNumber.optional(),
  MQTT_HOOKS_HOST: z.string().trim().min(1).default('127.0.0.1'),
  MQTT_HOOKS_SECRET: z.string().trim().min(16, 'must have at least 16 characters').optional(),
  TELLTALE_DATA: folder.default(() => resolve('data')),
  TELLTALE_FILES: folder.optional(),
  DATABASE_URL: url('postgres', 'postgresql'),
  TELLTALE_READER_URL: url('postgres', 'postgresql'),
  TELLTALE_SECRET_KEY: z.string().optional(),
  TELLTALE_ADMIN_EMAIL: text,
  TELLTALE_ADMIN_PASSWORD: text,
  TELLTALE_TRUST_PROXY: list.refine((all) => all.every(isNetwork), 'must list addresses or ranges, such as 10.0.0.0/8'),
  TELLTALE_ALLOW_PRIVATE: list,
  TELLTALE_CORS_ORIGINS: list.refine((all) => all.every(isOrigin), 'must list sites, such as https://example.com, or *'),
  TELLTALE_RATE_DEVICE: rate,
  TELLTALE_RATE_CHANNEL: rate,
  TELLTALE_DEV: flag.default(false),
  TELLTALE_MAX_ROWS: z.coerce.number('must be a number').int().min(1).default(10_000_000),
  TELLTALE_MAX_BYTES: z.coerce
    .number('must be a number')
    .int()
    .min(1)
    .default(2 * 1024 ** 3),
  TELLTALE_QUERY_SECONDS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(86_400, 'must be at most 86400, which is a day')
    .default(1800),
  TELLTALE_LOG: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  SMTP_URL: url('smtp', 'smtps'),
  MAIL_FROM: text,
  PUBLIC_URL: url('http', 'https').transform((value) => value?.replace(/\/+$/, '')),
  HELP_URL: url('http', 'https'),
});

/** Settings of the contract (design 3) that nothing reads yet: whoever sets one is told. */
const unread = ['TELLTALE_DEMO', 'MQTT_URL', 'CLICKHOUSE_URL'];

export type Config = ReturnType<typeof toConfig>;

function toConfig(env: z.output<typeof Environment>, notes: string[]) {
  return {
    /** What whoever set this would not expect. */
    notes,
    port: env.PORT,
    host: env.HOST,
    mqtt: {
      port: env.MQTT_PORT,
      host: env.MQTT_HOST,
      tls: env.MQTT_TLS_PORT === undefined ? undefined : { port: env.MQTT_TLS_PORT, cert: env.MQTT_TLS_CERT, key: env.MQTT_TLS_KEY },
      hooks:
        env.MQTT_HOOKS_PORT === undefined
          ? undefined
          : { port: env.MQTT_HOOKS_PORT, host: env.MQTT_HOOKS_HOST, secret: env.MQTT_HOOKS_SECRET ?? '' },
      deviceRate: env.TELLTALE_RATE_DEVICE,
      channelRate: env.TELLTALE_RATE_CHANNEL,
    },
    dataFolder: env.TELLTALE_DATA,
    filesFolder: env.TELLTALE_FILES ?? resolve(env.TELLTALE_DATA, 'files'),
    databaseUrl: env.DATABASE_URL,
    readerUrl: env.TELLTALE_READER_URL,
    secretKey: env.TELLTALE_SECRET_KEY,
    firstAdmin:
      env.TELLTALE_ADMIN_EMAIL && env.TELLTALE_ADMIN_PASSWORD
        ? { email: env.TELLTALE_ADMIN_EMAIL, password: env.TELLTALE_ADMIN_PASSWORD }
        : undefined,
    trustProxy: env.TELLTALE_TRUST_PROXY,
    allowPrivate: env.TELLTALE_ALLOW_PRIVATE,
    corsOrigins: env.TELLTALE_CORS_ORIGINS,
    /** Set by `npm run dev`: Vite serves the pages, they are not built. */
    isDev: env.TELLTALE_DEV,
    limits: { rows: env.TELLTALE_MAX_ROWS, bytes: env.TELLTALE_MAX_BYTES, seconds: env.TELLTALE_QUERY_SECONDS },
    logLevel: env.TELLTALE_LOG,
    logFolder: resolve(env.TELLTALE_DATA, 'logs'),
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    publicUrl: env.PUBLIC_URL,
    helpUrl: env.HELP_URL,
  };
}

export class ConfigError extends Error {
  override name = 'ConfigError';
}

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name in Environment.shape && value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(given);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  if (Boolean(given.TELLTALE_ADMIN_EMAIL) !== Boolean(given.TELLTALE_ADMIN_PASSWORD)) {
    faults.push('TELLTALE_ADMIN_EMAIL and TELLTALE_ADMIN_PASSWORD go together');
  }
  if ((given.TELLTALE_ADMIN_PASSWORD?.length ?? 6) < 6) faults.push('TELLTALE_ADMIN_PASSWORD must have at least 6 characters');
  if (given.MQTT_TLS_PORT && !(given.MQTT_TLS_CERT && given.MQTT_TLS_KEY)) {
    faults.push('MQTT_TLS_PORT needs MQTT_TLS_CERT and MQTT_TLS_KEY');
  }
  if (given.MQTT_HOOKS_PORT && !given.MQTT_HOOKS_SECRET) faults.push('MQTT_HOOKS_PORT needs MQTT_HOOKS_SECRET');
  if (faults.length > 0 || !parsed.success) throw new ConfigError(`These settings cannot be used: ${faults.join('; ')}.`);
  const isOn = (value: string | undefined) => value !== undefined && !['', '0', 'false'].includes(value);
  const notes = unread.filter((name) => isOn(env[name])).map((name) => `${name} has no effect in this version.`);
  return toConfig(parsed.data, notes);
}

/** The parent marks the processes of its roles, or they would start roles themselves. */
export function roleEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...env, TELLTALE_CHILD: '1' };
}

export function isRoleProcess(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.TELLTALE_CHILD === '1' && process.connected;
}

export function isRunByNpm(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.npm_lifecycle_event !== undefined;
}

/** Where a browser on this machine reaches a listener; an any-address is shown as localhost. */
export function shownHost(host: string): string {
  if (host === '127.0.0.1' || host === '::1' || host === '0.0.0.0' || host === '::') return 'localhost';
  return isIP(host) === 6 ? `[${host}]` : host;
}
