import type { Config } from '../config.ts';
import type { Logger } from './log.ts';

export const roleNames = ['web', 'worker', 'ingest'] as const;
/** Runs beside the others with TELLTALE_DEMO; it cannot be requested by name. */
export const demoRole = 'demo';
export type RoleName = (typeof roleNames)[number] | typeof demoRole;

/** Resources that the parent determines once and hands to every role (never through the environment: it holds secrets). */
export interface RoleResources {
  /** Direct connection as the application owner. */
  databaseUrl: string;
  secretKey: string;
  /** The port chosen for the console; a restarted role takes the same one. */
  port: number;
  /** The port for devices; absent when the broker is switched off. */
  mqttPort?: number | undefined;
  mqttTlsPort?: number | undefined;
  /** Folder of the built pages. */
  webRoot: string;
}

export interface RoleContext extends RoleResources {
  config: Config;
  log: Logger;
}

export interface RunningRole {
  /** Finishes or hands back running work, then closes everything. */
  stop(): Promise<void>;
}

export type StartRole = (context: RoleContext) => Promise<RunningRole>;
