import {
  type Annotation,
  type AnnotationParams,
  annotationText,
  type NewAnnotation,
  type PublicAnnotation,
} from '@telltale/domain/dashboards/annotations.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, ReaderCtx, UserCtx } from '../platform/context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { whereMay } from '../policy/policy.ts';
import { getQuery } from '../queries/queries.ts';
import {
  alertsListedBy,
  countAnnotations,
  deleteAnnotation,
  insertAnnotation,
  listAlertChanges,
  listNotes,
  listQueryAlertChanges,
  updateAnnotation,
} from './annotations.store.ts';
import { getDashboard, getEditable } from './dashboard-access.ts';
import { openShared } from './public-dashboards.ts';

const monthMs = 31 * 86_400_000;
const mostNotes = 5000;

/** Alerts only as far as this person may see them. */
export async function listAnnotations(ctx: UserCtx, dashboardId: number, params: AnnotationParams): Promise<Annotation[]> {
  await getDashboard(ctx, dashboardId);
  const span = spanOf(ctx, params);
  const notes = await listNotes(ctx.db, dashboardId, span);
  const changes = await listAlertChanges(ctx.db, dashboardId, span, whereMay(ctx.user, 'list', 'alert'));
  return [...notes, ...changes];
}

function spanOf(ctx: Ctx, params: AnnotationParams): { from: Date; to: Date } {
  const to = params.to ? new Date(params.to) : ctx.now;
  return { from: params.from ? new Date(params.from) : new Date(to.getTime() - monthMs), to };
}

/** For readers with the secret address: alerts only where everybody in whose name the token reads may list them. */
export async function listPublicAnnotations(ctx: Ctx, token: string, params: AnnotationParams): Promise<PublicAnnotation[]> {
  const { dashboard, reader } = await openShared(ctx, token, 'public annotations');
  const span = spanOf(ctx, params);
  const notes = await listNotes(ctx.db, dashboard.id, span);
  const changes = await listQueryAlertChanges(ctx.db, { dashboardId: dashboard.id }, span, alertsListedBy(reader.acts_for));
  return [...notes, ...changes].map(textAndTime);
}

/** For an embedded picture, whose reader has the key of the query. */
export async function listQueryAnnotations(ctx: ReaderCtx, queryId: number, params: AnnotationParams): Promise<PublicAnnotation[]> {
  await getQuery(ctx, queryId);
  const { identity } = ctx;
  const people = 'acts_for' in identity ? identity.acts_for : [identity];
  const changes = await listQueryAlertChanges(ctx.db, { queryId }, spanOf(ctx, params), alertsListedBy(people));
  return changes.map(textAndTime);
}

const textAndTime = (one: Annotation): PublicAnnotation => ({ at: one.at, until: one.until, text: annotationText(one) });

export const createAnnotation = (ctx: UserCtx, dashboardId: number, given: NewAnnotation): Promise<Annotation> =>
  ctx.transaction(async (tx) => {
    await getEditable(tx, dashboardId);
    if ((await countAnnotations(tx.db, dashboardId)) >= mostNotes) throw invalid(`A dashboard has at most ${mostNotes} notes.`);
    const made = await insertAnnotation(tx.db, dashboardId, tx.user.id, given);
    await recordEvent(tx, 'create', 'annotation', made.id ?? 0, { dashboard_id: dashboardId });
    return made;
  });

export const saveAnnotation = (ctx: UserCtx, dashboardId: number, id: number, given: NewAnnotation): Promise<Annotation> =>
  ctx.transaction(async (tx) => {
    await getEditable(tx, dashboardId);
    const saved = await updateAnnotation(tx.db, dashboardId, id, given);
    if (!saved) throw notFound('Annotation');
    await recordEvent(tx, 'edit', 'annotation', id, { dashboard_id: dashboardId });
    return saved;
  });

export const removeAnnotation = (ctx: UserCtx, dashboardId: number, id: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    await getEditable(tx, dashboardId);
    if (!(await deleteAnnotation(tx.db, dashboardId, id))) throw notFound('Annotation');
    await recordEvent(tx, 'delete', 'annotation', id, { dashboard_id: dashboardId });
    return null;
  });
