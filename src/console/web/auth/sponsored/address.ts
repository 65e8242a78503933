/**
 * The path of a sponsored link's page. Confirmation e-mails and other sites' sign-ins return to it
 * as well.
 */
export const offerPathOf = (token: string): string =>
  `/auth?sponsored=${encodeURIComponent(token)}`;
