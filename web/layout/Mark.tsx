/** The telltale: two threads on a shroud, streaming in the wind. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.25"
      strokeLinecap="round"
      aria-hidden
    >
      <path d="M4.5 3v18" />
      <path d="M4.5 7.5c4-3 7.5 3 15.5-.5" />
      <path d="M4.5 14.5c3-2.25 6 2.25 11-.25" opacity=".55" />
    </svg>
  );
}
