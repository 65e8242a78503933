const words: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was cancelled.',
  account_not_linked:
    'There is an account with this e-mail address already, and nothing shows yet that both are yours. Sign in with your password, or choose a new one by mail; from then on you can sign in this way too.',
  address_not_verified:
    'The other site has not confirmed your e-mail address, so it does not open an account here.',
  email_is_missing: 'The other site does not tell your e-mail address.',
  email_not_found: 'The other site does not tell your e-mail address.',
  state_mismatch: 'The sign-in took too long, or was begun in another browser. Please try again.',
  sign_up_closed: 'Accounts are made by invitation here; ask your administrator for one.',
};

/**
 * Why a sign-in with another site failed, from what it added to the address of the page it came
 * back to.
 */
export function providerFault(search: string): string | undefined {
  const error = new URLSearchParams(search).get('error');
  if (error === null) return undefined;
  return (
    (Object.hasOwn(words, error) && words[error]) ||
    'The sign-in with the other site did not succeed. Please try again.'
  );
}
