import { chooseOrganization } from '../../graph/organization.ts';

/**
 * Signs out and returns to the invitation. The sign-out of the session would open the sign-in page
 * instead.
 */
export async function leaveAccount(token: string): Promise<void> {
  await fetch('/auth/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  chooseOrganization(null);
  location.assign(`/auth?invitation=${encodeURIComponent(token)}`);
}
