const figures = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/** A number as text for people: digits after the sixth are noise of 64-bit floats. */
export const figureText = (value: number): string =>
  Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6) ? value.toPrecision(6) : figures.format(value);
