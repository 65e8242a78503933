// Prices can be finer than a cent; sums of them carry the noise of floating point further right
// than this.
const format = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'EUR',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});
const wholeFormat = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'EUR',
  maximumFractionDigits: 0,
});

export const eur = (amount: number): string => format.format(amount);

/** For axes and figures in which cents are noise. */
export const wholeEur = (amount: number): string => wholeFormat.format(amount);
