/** The telltale: a thread on the sail, streaming in the wind. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" aria-hidden>
      <path d="M6 21V3c6 4.5 10 10.5 11.5 18z" fill="currentColor" fillOpacity=".25" stroke="none" />
      <path d="M6 21V3" strokeOpacity=".6" />
      <path d="M6 12.25c4.25-3 7.25 3 15-.5" />
    </svg>
  );
}
