import type { RoleResources } from '../platform/role.ts';

/** What parent and role say to each other over their channel. */
export type ToRole = { kind: 'start'; resources: RoleResources } | { kind: 'stop' };
export type FromRole = { kind: 'ready' };
