import type { Mark } from '../../ui/KindMark.tsx';

/** One colour per family of sources. The marks are our own, not trademarks of others. */
const server = 'var(--series-1)';
const analytics = 'var(--series-2)';
const files = 'var(--series-3)';
const timeSeries = 'var(--series-4)';
const web = 'var(--series-9)';
const otherQueries = 'var(--series-7)';
const own = 'var(--primary)';

export const marks: Readonly<Record<string, Mark>> = {
  pg: { tint: server, glyph: 'Pg' },
  mysql: { tint: server, glyph: 'My' },
  rds_mysql: { tint: server, glyph: 'Rd' },
  cockroach: { tint: server, glyph: 'Co' },
  redshift: { tint: analytics, glyph: 'Rs' },
  clickhouse: { tint: analytics, glyph: 'Ch' },
  duckdb: { tint: analytics, glyph: 'Du' },
  timescale: { tint: timeSeries, glyph: 'Ts' },
  influxdb: { tint: timeSeries, glyph: 'In' },
  prometheus: { tint: timeSeries, glyph: 'Pm' },
  sqlite: { tint: files, glyph: 'Sq' },
  // Values of unequal length, one below the other.
  csv: { tint: files, glyph: <path d="M6.5 8h5M14 8h3.5M6.5 12h2.5M11.5 12h6M6.5 16h6M15 16h2.5" /> },
  // A sheet with one cell filled.
  excel: {
    tint: files,
    glyph: (
      <>
        <path d="M6.5 7h11v10h-11zM6.5 12h11M12 7v10" />
        <path d="M12 12h5.5v5H12z" fill="currentColor" fillOpacity=".35" stroke="none" />
      </>
    ),
  },
  json: { tint: web, glyph: <path d="M10 6.5c-3 0-1 5-3.5 5.5 2.5.5.5 5.5 3.5 5.5M14 6.5c3 0 1 5 3.5 5.5-2.5.5-.5 5.5-3.5 5.5" /> },
  // Two links of a chain.
  url: { tint: web, glyph: <path d="M10.5 9H9a3 3 0 0 0 0 6h1.5M13.5 9H15a3 3 0 0 1 0 6h-1.5M9.5 12h5" /> },
  // One request, several answers.
  graphql: {
    tint: web,
    glyph: (
      <>
        <path d="M9 12h3.5M15 7.5h-2.5v9H15" />
        <path d="M7.5 10.5v3M16.75 6v3M16.75 15v3" strokeWidth="3" />
      </>
    ),
  },
  // Stacked results.
  results: { tint: otherQueries, glyph: <path d="m12 6 6 3-6 3-6-3zM6 12.25l6 3 6-3M6 15.5l6 3 6-3" /> },
  // A thread on the sail, as in our own mark.
  telltale: {
    tint: own,
    glyph: (
      <>
        <path d="M8 18.5v-13c4 3 6.5 7.5 7.5 13z" fill="currentColor" fillOpacity=".25" stroke="none" />
        <path d="M8 18.5v-13M8 12.25c3-2 5 2 10-.5" />
      </>
    ),
  },
};
