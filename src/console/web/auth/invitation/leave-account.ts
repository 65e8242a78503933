import { chooseOrganization } from '../../graph/organization.ts';

/** Signs out, and comes back to the invitation: the usual sign-out would lose it. */
export async function leaveAccount(token: string): Promise<void> {
  await fetch('/auth/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  chooseOrganization(null);
  location.assign(`/auth?invitation=${encodeURIComponent(token)}`);
}
