const figures = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/** A reading as people read it: what 64 bits add behind the sixth digit is noise. */
export const figureText = (value: number): string =>
  Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6) ? value.toPrecision(6) : figures.format(value);
