import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';

export type { Logger };

const largestFileBytes = 20 * 1024 * 1024;

/** Fields that could carry a secret are removed from every line. */
const redact = {
  paths: ['password', '*.password', 'api_key', '*.api_key', 'authorization', '*.authorization', 'cookie', '*.cookie', 'token', '*.token'],
  censor: '[hidden]',
};

/**
 * Logs structured lines, once per event. With a folder they go to a file there, and the terminal shows only warnings and worse, as plain
 * text; without one everything goes to standard output.
 */
export function createLogger(level: string, fields: Record<string, string | number> = {}, folder?: string): Logger {
  const options = {
    level,
    base: fields,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (!folder || level === 'silent') return pino(options);
  const { formatters: _, ...plain } = options;
  return pino(
    plain,
    pino.multistream([
      { level: level as pino.Level, stream: pino.destination({ dest: openFile(folder), sync: true }) },
      { level: 'warn', stream: { write: (line) => void process.stderr.write(readable(line)) } },
    ]),
  );
}

/** One file for all processes, which append whole lines; a large one is set aside when a process starts. */
function openFile(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'telltale.log');
  try {
    if (statSync(file).size > largestFileBytes) renameSync(file, join(folder, 'telltale.old.log'));
  } catch {
    // There is no file yet, or another process was quicker.
  }
  return file;
}

function readable(line: string): string {
  const { time, role, msg, err, level, pid: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const name = Number(level) >= 50 ? 'error' : 'warning';
  const fault = typeof err === 'object' && err !== null && 'message' in err ? err.message : err;
  const more = Object.entries(rest).map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const text = `${String(time).slice(11, 19)} ${name} ${role ?? ''}: ${[msg, fault, ...more].filter(Boolean).join(' · ')}`;
  // Parts of the text come from outside: they must not begin a new line or control the terminal.
  return `${text.replace(/\p{Cc}+/gu, ' ')}\n`;
}
