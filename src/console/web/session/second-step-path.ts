/** The path of the page that asks for the second factor and then opens `next`. */
export const secondStepPath = (next: string): string =>
  `/auth/second-factor${next === '/' ? '' : `?${new URLSearchParams({ next })}`}`;

/** Whether a sign-in with another site still needs the second factor. */
export const isSecondStepMissing = (search: URLSearchParams): boolean =>
  search.get('error') === 'SECOND_FACTOR_NEEDED';

/** Whether the response of a sign-in asks for the second factor. */
export const needsSecondStep = (answer: Readonly<Record<string, unknown>>): boolean =>
  answer['secondFactor'] === true;
