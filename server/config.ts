import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { OrganizationSettings, type SettingName, settingNames, variableOf } from '@telltale/domain/organization/settings.ts';
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
/** The address of a bucket with its key, as `https://key:secret@host/bucket`. */
const bucket = url('http', 'https').refine((value) => {
  const { username, password, pathname } = URL.parse(value ?? '') ?? {};
  return value === undefined || Boolean(username && password && pathname && pathname !== '/');
}, 'must name a key, its secret and a bucket, as https://key:secret@host/bucket');
/** design 8: a rate as `sustained:burst`, or 0 for none. */
const rate = z
  .string()
  .trim()
  .regex(/^(0|[1-9]\d{0,8}:[1-9]\d{0,8})$/, 'must be 0 or two numbers, such as 10:200')
  .optional();
/** A count; 0 means no limit. */
const count = z.coerce.number('must be a number').int('must be a whole number').min(0, 'must not be negative');
const bytes = z.coerce.number('must be a number of bytes').int('must be a whole number').min(0, 'must not be negative');
const list = z
  .string()
  .default('')
  .transform((value) => value.split(/[\s,]+/).filter(Boolean));
/**
 * server-behaviour 21.2: domains whose mailboxes anybody can open for ten minutes, and the one that upstream blocks. An
 * installation that wants others names its own.
 */
const usualBlockedDomains =
  'qq.com 10minutemail.com dispostable.com getnada.com guerrillamail.com maildrop.cc mailinator.com sharklasers.com temp-mail.org throwawaymail.com trashmail.com yopmail.com';
const domains = z
  .string()
  .default(usualBlockedDomains)
  .transform((value) =>
    value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  );
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
  MQTT_URL: url('mqtt', 'mqtts'),
  MQTT_SHARED: flag.default(true),
  MQTT_HOOKS_PORT: portNumber.optional(),
  MQTT_HOOKS_HOST: z.string().trim().min(1).default('127.0.0.1'),
  MQTT_HOOKS_SECRET: z.string().trim().min(16, 'must have at least 16 characters').optional(),
  TELLTALE_DATA: folder.optional(),
  TELLTALE_DEMO: flag.default(false),
  TELLTALE_FILES: folder.optional(),
  DATABASE_URL: url('postgres', 'postgresql'),
  DATABASE_READ_URL: url('postgres', 'postgresql'),
  TELLTALE_READER_URL: url('postgres', 'postgresql'),
  CLICKHOUSE_URL: url('http', 'https').refine(
    (value) => value === undefined || /^\/?$|^\/[A-Za-z_]\w{0,40}$/.test(URL.parse(value)?.pathname ?? ''),
    'must end with the name of a database, such as /telltale, or with none',
  ),
  TELLTALE_SECRET_KEY: z.string().optional(),
  TELLTALE_ADMIN_EMAIL: text,
  TELLTALE_ADMIN_PASSWORD: text,
  TELLTALE_TRUST_PROXY: list.refine((all) => all.every(isNetwork), 'must list addresses or ranges, such as 10.0.0.0/8'),
  TELLTALE_ALLOW_PRIVATE: list,
  TELLTALE_CORS_ORIGINS: list.refine((all) => all.every(isOrigin), 'must list sites, such as https://example.com, or *'),
  TELLTALE_BLOCKED_EMAIL_DOMAINS: domains,
  TELLTALE_RATE_DEVICE: rate,
  TELLTALE_RATE_CHANNEL: rate,
  TELLTALE_CHANNEL_DEVICES: count.default(20_000),
  TELLTALE_CHANNEL_ATTRIBUTES: count.default(5000),
  TELLTALE_KEPT_SESSIONS: count.default(100),
  TELLTALE_RATE_COMMANDS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(100_000)
    .default(50),
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
  TELLTALE_MAX_QUERY_LENGTH: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1000, 'must be at least 1000')
    .max(16_000_000, 'must be at most 16000000')
    .default(1_000_000),
  RESULTS_URL: bucket,
  TELLTALE_RESULTS_INLINE: bytes.default(1024 ** 2),
  TELLTALE_RESULTS_PERSON: bytes.default(4 * 1024 ** 3),
  TELLTALE_RESULTS_ALL: bytes.default(32 * 1024 ** 3),
  TELLTALE_BACKEND_MEMORY: bytes.refine((value) => value === 0 || value >= 128 * 1024 ** 2, 'must be 0 or at least 134217728').optional(),
  TELLTALE_REQUEST_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(86_400, 'must be at most 86400')
    .default(120),
  TELLTALE_LOG: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  SMTP_URL: url('smtp', 'smtps'),
  MAIL_FROM: text,
  PUBLIC_URL: url('http', 'https').transform((value) => value?.replace(/\/+$/, '')),
  HELP_URL: url('http', 'https'),
});

/** Settings of the organisation that a variable of the environment may set, which locks them in the page (design 8.1). */
const variableNames = settingNames.filter((name) => name.startsWith('auth_') || name === 'audit_days');

function settingsOfEnvironment(env: Record<string, string | undefined>, faults: string[]): Partial<OrganizationSettings> {
  const given = variableNames.flatMap((name) => {
    const value = env[variableOf(name)]?.trim();
    if (value === undefined || value === '') return [];
    const parsed = OrganizationSettings.shape[name].safeParse(settingFromText(name, value));
    if (!parsed.success) faults.push(`${variableOf(name)} cannot be used: ${parsed.error.issues[0]?.message}`);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(given) as Partial<OrganizationSettings>;
}

function settingFromText(name: SettingName, value: string): unknown {
  const usual = OrganizationSettings.shape[name].parse(undefined);
  if (Array.isArray(usual)) return value.split(/[\s,]+/).filter(Boolean);
  if (typeof usual === 'number') return Number(value);
  if (typeof usual !== 'boolean') return value;
  return value === '1' || value === 'true' ? true : value === '0' || value === 'false' ? false : value;
}

export type Config = ReturnType<typeof toConfig>;

interface FirstAdmin {
  email: string;
  password: string;
  /** The administrator of a demo has a name. */
  name?: string;
}

const firstAdminOf = (email: string | undefined, password: string | undefined): FirstAdmin | undefined =>
  email && password ? { email, password } : undefined;

function toConfig(env: z.output<typeof Environment>, fixedSettings: Partial<OrganizationSettings>, notes: string[]) {
  // A demo never writes into the folder of a console that is in use.
  const dataFolder = env.TELLTALE_DATA ?? resolve(env.TELLTALE_DEMO ? 'demo-data' : 'data');
  return {
    /** Tests put a provider of their own in its place. */
    googleIssuer: 'https://accounts.google.com',
    /** Settings of the organisation that the environment has set. */
    fixedSettings,
    /** Warnings about settings with an effect that may surprise. */
    notes,
    port: env.PORT,
    host: env.HOST,
    mqtt: {
      port: env.MQTT_PORT,
      host: env.MQTT_HOST,
      tls: env.MQTT_TLS_PORT === undefined ? undefined : { port: env.MQTT_TLS_PORT, cert: env.MQTT_TLS_CERT, key: env.MQTT_TLS_KEY },
      /** The URL of an external broker, used instead of the embedded one. */
      url: env.MQTT_URL,
      isShared: env.MQTT_SHARED,
      hooks:
        env.MQTT_HOOKS_PORT === undefined
          ? undefined
          : { port: env.MQTT_HOOKS_PORT, host: env.MQTT_HOOKS_HOST, secret: env.MQTT_HOOKS_SECRET ?? '' },
      deviceRate: env.TELLTALE_RATE_DEVICE,
      channelRate: env.TELLTALE_RATE_CHANNEL,
      /** Limits on what a channel key can create implicitly; 0 means no limit. */
      channelDevices: env.TELLTALE_CHANNEL_DEVICES,
      channelAttributes: env.TELLTALE_CHANNEL_ATTRIBUTES,
      keptSessions: env.TELLTALE_KEPT_SESSIONS,
    },
    commandsPerSecond: env.TELLTALE_RATE_COMMANDS,
    dataFolder,
    /** Fills the console with three simulated sites and sample objects. */
    isDemo: env.TELLTALE_DEMO,
    filesFolder: env.TELLTALE_FILES ?? resolve(dataFolder, 'files'),
    databaseUrl: env.DATABASE_URL,
    /** A streaming replica for reads that tolerate some lag. */
    readUrl: env.DATABASE_READ_URL,
    readerUrl: env.TELLTALE_READER_URL,
    /** The ClickHouse that keeps the readings for IoT data. */
    clickhouseUrl: env.CLICKHOUSE_URL,
    secretKey: env.TELLTALE_SECRET_KEY,
    firstAdmin: firstAdminOf(env.TELLTALE_ADMIN_EMAIL, env.TELLTALE_ADMIN_PASSWORD),
    trustProxy: env.TELLTALE_TRUST_PROXY,
    allowPrivate: env.TELLTALE_ALLOW_PRIVATE,
    corsOrigins: env.TELLTALE_CORS_ORIGINS,
    /** Nobody is invited at these domains. */
    blockedEmailDomains: env.TELLTALE_BLOCKED_EMAIL_DOMAINS,
    /** Set by `npm run dev`: Vite serves the pages, they are not built. */
    isDev: env.TELLTALE_DEV,
    limits: {
      rows: env.TELLTALE_MAX_ROWS,
      bytes: env.TELLTALE_MAX_BYTES,
      seconds: env.TELLTALE_QUERY_SECONDS,
      /** The limit on a query's text with its values, in characters. */
      queryLength: env.TELLTALE_MAX_QUERY_LENGTH,
    },
    /** The bucket for stored results, the bytes of each result that stay in the database, and the size of objects: each request has its price. */
    results: { url: env.RESULTS_URL, inlineBytes: env.TELLTALE_RESULTS_INLINE, objectBytes: 4 * 1024 ** 2 },
    /** Bytes of stored results; 0 is no limit. */
    resultQuota: { person: env.TELLTALE_RESULTS_PERSON, all: env.TELLTALE_RESULTS_ALL },
    /** Memory limit of one process of the embedded PostgreSQL; derived from the machine's memory when unset. */
    backendBytes: env.TELLTALE_BACKEND_MEMORY,
    requestSeconds: env.TELLTALE_REQUEST_SECONDS,
    logLevel: env.TELLTALE_LOG,
    logFolder: resolve(dataFolder, 'logs'),
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
  const fixedSettings = settingsOfEnvironment(env, faults);
  if (faults.length > 0 || !parsed.success) throw new ConfigError(`These settings cannot be used: ${faults.join('; ')}.`);
  // With an external broker, the embedded one only starts where its port is set.
  if (parsed.data.MQTT_URL && !given.MQTT_PORT) parsed.data.MQTT_PORT = 0;
  const { TELLTALE_DEMO: isDemo, CLICKHOUSE_URL } = parsed.data;
  const notes = isDemo && CLICKHOUSE_URL ? ['The sample queries of the demo are written for PostgreSQL and fail with CLICKHOUSE_URL.'] : [];
  return toConfig(parsed.data, fixedSettings, notes);
}

/** Marks role processes, because otherwise they would start roles themselves. */
export function roleEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...env, TELLTALE_CHILD: '1' };
}

/** Reads only the variable, so a role whose parent has exited still never acts as a parent. */
export function isRoleProcess(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.TELLTALE_CHILD === '1';
}

export function isRunByNpm(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.npm_lifecycle_event !== undefined;
}

/** A listener's address in a URL: IPv6 in brackets; any-addresses stay, so that devices can tell them from one machine. */
export const namedHost = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** The address at which a browser on this machine reaches a listener; an any-address is shown as localhost. */
export function shownHost(host: string): string {
  if (host === '127.0.0.1' || host === '::1' || host === '0.0.0.0' || host === '::') return 'localhost';
  return namedHost(host);
}
