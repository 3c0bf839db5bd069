import { annotationsApi, type PublicAnnotation } from '@telltale/domain/dashboards/annotations.ts';
import { useMemo } from 'react';
import { useRead } from '../api/query.ts';
import type { TimeMark } from '../visualizations/chart/ChartMarks.tsx';

const yearMs = 366 * 86_400_000;
const dayMs = 86_400_000;
export const askOften = { refetchInterval: 60_000, retry: false };

/** A year before and after now, in whole days, so that the address asked for is the same all day. */
export const useAnnotationSpan = () =>
  useMemo(() => {
    const from = new Date(Math.floor((Date.now() - yearMs) / dayMs) * dayMs).toISOString();
    return { from, to: new Date(Math.ceil((Date.now() + yearMs) / dayMs) * dayMs).toISOString() };
  }, []);

/** Annotations for readers with the secret address of a dashboard. */
export function usePublicMarks(token: string): readonly TimeMark[] {
  const query = useAnnotationSpan();
  const { data = none } = useRead(annotationsApi.public, { params: { token }, query }, askOften);
  return useMemo(() => data.map(publicMark), [data]);
}

/** Alerts on one query, for a picture of it in the page of somebody else. */
export function useQueryMarks(queryId: number): readonly TimeMark[] {
  const query = useAnnotationSpan();
  const { data = none } = useRead(annotationsApi.ofQuery, { params: { id: queryId }, query }, askOften);
  return useMemo(() => data.map(publicMark), [data]);
}

const none: readonly never[] = [];

export const untilOf = (until: string | null) => (until === null ? null : Date.parse(until));

const publicMark = ({ at, until, text }: PublicAnnotation, place: number): TimeMark => ({
  key: `${place} ${at} ${text}`,
  at: Date.parse(at),
  until: untilOf(until),
  text,
  tone: 'note',
});
