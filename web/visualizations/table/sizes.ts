/** Pixels; Table.module.css has the same. 18 of text, a hairline, the rest is air. */
export const rowHeight = 34;
export const headerHeight = 36;
export const cellPadding = 12;
/** Design 8: a page of more rows is drawn as far as it is seen. */
export const mostDrawnRows = 100;
/** More columns are drawn as far as they are seen. */
export const mostDrawnColumns = 40;
