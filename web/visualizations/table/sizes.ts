/** Pixels; Table.module.css has the same. 18 of text, a hairline, the rest is padding. */
export const rowHeight = 34;
export const headerHeight = 36;
export const cellPadding = 12;
/** Design 8: of longer pages only the visible rows are rendered. */
export const mostDrawnRows = 100;
/** With more columns only the visible ones are rendered. */
export const mostDrawnColumns = 40;
