import type { ReactNode } from 'react';

/** One small drawing of each kind, in the colours of charts. */
const [one, two, three] = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)'];
const ink = 'var(--edge)';

const pictures: Readonly<Record<string, ReactNode>> = {
  CHART: (
    <>
      <path d="M4 24V4M4 24h32" stroke={ink} fill="none" />
      <path d="m6 18 7-6 7 3 8-8 7 4" stroke={one} fill="none" strokeWidth="2" />
      <path d="m6 22 7-2 7-3 8 2 7-4" stroke={two} fill="none" strokeWidth="2" />
    </>
  ),
  TABLE: (
    <>
      <rect x="4" y="5" width="32" height="5" fill={one} opacity="0.35" />
      <path d="M4 5h32v18H4zM4 10h32M4 14.5h32M4 19h32M15 5v18M26 5v18" stroke={ink} fill="none" />
    </>
  ),
  COUNTER: (
    <>
      <path d="m9 11 4-4v14M19 9c1-3 7-3 7 1 0 3-7 7-7 11h8" stroke={one} fill="none" strokeWidth="2.5" />
      <circle cx="32" cy="9" r="2" stroke={one} fill="none" strokeWidth="1.5" />
    </>
  ),
  BATTERY: (
    <>
      <rect x="6" y="8" width="26" height="12" rx="2" stroke={ink} fill="none" />
      <path d="M34 12v4" stroke={ink} strokeWidth="2" />
      <rect x="8" y="10" width="16" height="8" fill={three} />
    </>
  ),
  BOXPLOT: <path d="M12 4v5m0 10v5M8 9h8v10H8zm0 5h8M28 6v4m0 8v4m-4-12h8v8h-8zm0 3h8" stroke={one} fill="none" strokeWidth="1.5" />,
  CHOROPLETH: (
    <>
      <path d="m4 8 10-3 4 8-6 9-8-4z" fill={one} opacity="0.85" />
      <path d="m14 5 14 1 2 8-12-1z" fill={one} opacity="0.5" />
      <path d="m18 13 12 1 4 8-22 0z" fill={one} opacity="0.25" />
    </>
  ),
  MAP: (
    <>
      <path d="m4 7 10-3 12 3 10-3v17l-10 3-12-3-10 3zM14 4v17M26 7v17" stroke={ink} fill="none" />
      <path d="M20 8a4 4 0 0 1 4 4c0 3-4 7-4 7s-4-4-4-7a4 4 0 0 1 4-4" fill={two} />
    </>
  ),
  COHORT: (
    <>
      {[0, 1, 2, 3].map((row) =>
        [0, 1, 2, 3]
          .slice(0, 4 - row)
          .map((at) => (
            <rect key={`${row} ${at}`} x={6 + at * 7} y={4 + row * 5} width="6" height="4" fill={one} opacity={1 - at * 0.22} />
          )),
      )}
    </>
  ),
  DETAILS: <path d="M5 7h9M5 14h9M5 21h9M19 7h16M19 14h12M19 21h14" stroke={one} fill="none" strokeWidth="2" />,
  FUNNEL: (
    <>
      <rect x="5" y="4" width="30" height="5" fill={one} />
      <rect x="10" y="11" width="20" height="5" fill={one} opacity="0.7" />
      <rect x="15" y="18" width="10" height="5" fill={one} opacity="0.45" />
    </>
  ),
  LIVE_UPLINK: (
    <>
      <circle cx="20" cy="14" r="2.5" fill={three} />
      <path
        d="M14 8a8 8 0 0 0 0 12M26 8a8 8 0 0 1 0 12M10 5a13 13 0 0 0 0 18M30 5a13 13 0 0 1 0 18"
        stroke={three}
        fill="none"
        strokeWidth="1.5"
      />
    </>
  ),
  PIVOT: (
    <>
      <path d="M4 5h32v18H4zM14 5v18M4 11h32" stroke={ink} fill="none" />
      <rect x="14" y="11" width="22" height="12" fill={one} opacity="0.3" />
    </>
  ),
  SANKEY: (
    <>
      <path d="M5 8c15 0 15-2 30-2M5 20c15 0 15 2 30 2" stroke={one} fill="none" strokeWidth="5" opacity="0.7" />
      <path d="M5 12c15 0 15 6 30 6" stroke={two} fill="none" strokeWidth="3" opacity="0.7" />
    </>
  ),
  SUNBURST_SEQUENCE: (
    <>
      <circle cx="20" cy="14" r="4" fill={one} />
      <path d="M20 6a8 8 0 0 1 8 8" stroke={two} fill="none" strokeWidth="3" />
      <path d="M28 14a8 8 0 1 1-8-8" stroke={three} fill="none" strokeWidth="3" />
    </>
  ),
  WORD_CLOUD: (
    <>
      <path d="M9 12h22" stroke={one} strokeWidth="5" />
      <path d="M6 19h12M22 19h12" stroke={two} strokeWidth="3" />
      <path d="M13 6h10" stroke={three} strokeWidth="2.5" />
    </>
  ),
};

export const KindPicture = ({ type }: { type: string }) => (
  <svg viewBox="0 0 40 28" width="40" height="28" aria-hidden>
    {pictures[type] ?? <rect x="6" y="4" width="28" height="20" stroke={ink} fill="none" />}
  </svg>
);
