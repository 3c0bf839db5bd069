import type { RoleResources } from '../platform/role.ts';

/** The messages between parent and role. */
export type ToRole = { kind: 'start'; resources: RoleResources } | { kind: 'stop' };
export type FromRole = { kind: 'ready' };
