import type { Identity } from '@telltale/domain/access/identity.ts';
import { hasAnyPermission, type Permission } from '@telltale/domain/access/permissions.ts';
import type { KeyReader, Needs } from '@telltale/domain/endpoint.ts';
import { forbidden, notSignedIn } from '../errors.ts';

export interface Guarded {
  needs: Needs;
  readers?: readonly KeyReader[] | undefined;
  signedOutStatus?: 401 | 404;
  keyRefusal?: string;
}

/** The only check of a route's stated need against the caller. Everything not stated is refused. */
export function requireAccess(route: Guarded, identity: Identity): void {
  if (route.needs === 'anyone') return;
  if (identity.kind === 'nobody') throw notSignedIn(route.signedOutStatus);
  if (identity.kind !== 'user') {
    if (!route.readers?.includes(identity.kind)) throw forbidden(route.keyRefusal);
    return;
  }
  if (route.needs === 'signed_in') return;
  const needed: readonly Permission[] = typeof route.needs === 'string' ? [route.needs] : route.needs;
  if (!hasAnyPermission(identity.permissions, needed)) throw forbidden();
}
