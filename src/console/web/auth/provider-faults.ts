const messages: Readonly<Record<string, string>> = {
  access_denied: 'You cancelled the sign-in.',
  account_not_linked:
    'An account with this e-mail address already exists, and it is not confirmed that both are yours. Sign in with your password, or request a new one by e-mail. After that you can also sign in this way.',
  address_not_verified:
    'The other site has not confirmed your e-mail address, so you cannot sign in here with it. Confirm the address there, or sign in another way.',
  email_is_missing:
    'The other site did not share your e-mail address. Allow it there, or sign in another way.',
  email_not_found:
    'The other site did not share your e-mail address. Allow it there, or sign in another way.',
  state_mismatch: 'The sign-in took too long, or was started in another browser. Try again.',
  sign_up_closed:
    'You need an invitation to create an account here. Ask your administrator for one.',
};

/** The message for the error code that another site added to the return address. */
export function providerFault(search: string): string | undefined {
  const error = new URLSearchParams(search).get('error');
  if (error === null) return undefined;
  return (
    (Object.hasOwn(messages, error) && messages[error]) ||
    'The sign-in with the other site failed. Try again.'
  );
}
