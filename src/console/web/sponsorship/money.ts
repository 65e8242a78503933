// A price can have fractions of a cent. Rounding to four digits hides the floating-point error of
// sums.
const euroFormat = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'EUR',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});
const wholeEuroFormat = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'EUR',
  maximumFractionDigits: 0,
});

export const formatEuro = (amount: number): string => euroFormat.format(amount);

/** For axes and key figures, where cents do not matter. */
export const formatWholeEuro = (amount: number): string => wholeEuroFormat.format(amount);
