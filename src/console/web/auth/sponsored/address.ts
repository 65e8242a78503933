/** The page of a link: also where a verification mail or a provider's sign-in leads back to. */
export const addressOf = (token: string): string => `/auth?sponsored=${encodeURIComponent(token)}`;
