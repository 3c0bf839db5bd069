/** Whether the browser has this version already. A proxy may have marked the tag as weak, and a browser may send several. */
export const isKnownTag = (known: string | undefined, etag: string | undefined): boolean =>
  etag !== undefined && (known?.split(',').some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, ''))) ?? false);
