import { z } from 'zod';
import { Empty, endpoint, Id, Time } from '../endpoint.ts';

/** What is marked on the time charts of a dashboard: a note of somebody, or what an alert did. */
export const Annotation = z.object({
  /** Null where an alert made it. */
  id: z.int().nullable(),
  kind: z.enum(['note', 'alert']),
  at: Time,
  until: Time.nullable(),
  text: z.string(),
  /** What the alert became. */
  state: z.enum(['ok', 'triggered', 'unknown']).nullable(),
  alert_id: z.int().nullable(),
  user_name: z.string().nullable(),
});
export type Annotation = z.infer<typeof Annotation>;

const stateWords = { ok: 'back to normal', triggered: 'triggered', unknown: 'unknown' } as const;

/** What a mark says: a note its text, an alert its name and what it became. */
export const annotationText = ({ kind, text, state }: Pick<Annotation, 'kind' | 'text' | 'state'>): string =>
  kind === 'alert' ? `${text}: ${stateWords[state ?? 'unknown']}` : text;

/** An annotation for readers without an account: its text and its time, and nothing that leads to people or objects. */
export const PublicAnnotation = z.object({ at: Time, until: Time.nullable(), text: z.string() });
export type PublicAnnotation = z.infer<typeof PublicAnnotation>;

export const mostAnnotations = 200;
const longestText = 500;

export const NewAnnotation = z
  .object({
    at: Time,
    until: Time.nullish(),
    text: z
      .string('Text is required.')
      .trim()
      .min(1, 'Text is required.')
      .max(longestText, `The text is too long (at most ${longestText} characters).`),
  })
  .refine(({ at, until }) => !until || Date.parse(until) > Date.parse(at), {
    message: 'The end must be after the beginning.',
    path: ['until'],
  });
export type NewAnnotation = z.output<typeof NewAnnotation>;

const Of = z.object({ id: Id });
const OneOf = Of.extend({ annotationId: Id });
/** Both ends; without them the last 31 days until now. */
export const AnnotationParams = z.object({ from: Time.optional(), to: Time.optional() });
export type AnnotationParams = z.output<typeof AnnotationParams>;

const path = '/api/dashboards/:id/annotations';

export const annotationsApi = {
  list: endpoint('GET', path, {
    needs: 'list_dashboards',
    params: Of,
    query: AnnotationParams,
    reply: z.array(Annotation),
    summary: 'Notes on a dashboard, and when alerts on what it shows changed their state; the newest 200 of each.',
  }),
  create: endpoint('POST', path, {
    needs: 'edit_dashboard',
    params: Of,
    body: NewAnnotation,
    reply: Annotation,
    summary: 'Notes something at a moment, or from one moment to another.',
  }),
  save: endpoint('POST', `${path}/:annotationId`, {
    needs: 'edit_dashboard',
    params: OneOf,
    body: NewAnnotation,
    reply: Annotation,
    summary: 'Changes the text and the time of a note.',
  }),
  remove: endpoint('DELETE', `${path}/:annotationId`, {
    needs: 'edit_dashboard',
    params: OneOf,
    reply: Empty,
    summary: 'Deletes a note.',
  }),
  public: endpoint('GET', '/api/dashboards/public/:token/annotations', {
    needs: 'anyone',
    params: z.object({ token: z.string().min(1).max(200) }),
    query: AnnotationParams,
    reply: z.array(PublicAnnotation),
    summary: 'Notes on a shared dashboard, and changes of alerts on the queries it shows: text and time only.',
  }),
  ofQuery: endpoint('GET', '/api/queries/:id/annotations', {
    needs: 'view_query',
    readers: ['query_key'],
    params: Of,
    query: AnnotationParams,
    reply: z.array(PublicAnnotation),
    summary: 'When alerts on a query changed their state: text and time only.',
  }),
};
