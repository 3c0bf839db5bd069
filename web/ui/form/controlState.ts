/** The accessible state of a control. */
export const controlState = (id: string, fault: string | undefined, hasInfo = false) => ({
  id,
  status: fault ? ('error' as const) : ('' as const),
  'aria-invalid': fault !== undefined,
  'aria-describedby': [fault && `${id}-fault`, hasInfo && `${id}-info`].filter(Boolean).join(' ') || undefined,
});
