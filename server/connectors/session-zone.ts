import { described } from '@telltale/domain/forms/fields.ts';
import { isTimeZone } from '@telltale/domain/organization/settings.ts';
import { z } from 'zod';
import type { Connector } from './connector.ts';

const ofViewer = 'viewer';

/** The option for the time zone in which a source's sessions read and truncate times (design 8). */
export const sessionZoneOption = () =>
  described(
    z.preprocess(
      (value) => (value === null || value === '' ? undefined : value),
      z
        .string()
        .trim()
        .max(64)
        .refine(
          (value) => value === ofViewer || isTimeZone(value),
          'Session time zone must be UTC, viewer, or a zone such as Europe/Berlin.',
        )
        .default('UTC'),
    ),
    {
      type: 'string',
      title: 'Session time zone',
      default: 'UTC',
      extra: true,
      info: 'UTC, a zone such as Europe/Berlin, or "viewer" for the time zone of the person who runs the query.',
    },
  );

/** The session zone for a statement: IoT data follows the run, other sources their option; undefined when the source has none. */
export function sessionZoneOf(connector: Connector | undefined, options: Record<string, unknown>, runZone: string): string | undefined {
  if (connector?.sessionZone === 'viewer') return runZone;
  if (connector?.sessionZone !== 'option') return undefined;
  const setting = options.session_time_zone ?? 'UTC';
  return setting === ofViewer ? runZone : String(setting);
}

/** True when results depend on the viewer's zone, which then is part of their cache key. */
export const followsViewer = (connector: Connector | undefined, options: () => Record<string, unknown>): boolean =>
  connector?.sessionZone === 'viewer' || (connector?.sessionZone === 'option' && options().session_time_zone === ofViewer);
