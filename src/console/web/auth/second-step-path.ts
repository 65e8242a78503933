/** The page that asks for the second factor, and goes on to `next`. */
export const secondStepPath = (next: string): string =>
  `/auth/second-factor${next === '/' ? '' : `?${new URLSearchParams({ next })}`}`;

/** Whether a sign-in with another site needs the second factor now. */
export const cameForSecondStep = (search: URLSearchParams): boolean =>
  search.get('error') === 'SECOND_FACTOR_NEEDED';

/** Whether the answer of a sign-in says that the second factor comes next. */
export const needsSecondStep = (answer: Readonly<Record<string, unknown>>): boolean =>
  answer['secondFactor'] === true;
