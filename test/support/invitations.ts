import type { TestSession } from './sign-in.ts';

export type Sent = {
  link: string;
  isMailed: boolean;
  invitation: {
    id: string;
    email: string;
    role: string;
    state: string;
    team: { id: string } | null;
  };
};

const sent =
  '{ link isMailed invitation { id email role state team { id } invitedBy { id } createdAt expiresAt } }';
export const inviteMember = `mutation ($email: EmailAddress!, $role: Role!, $teamId: ResourceId) { result: inviteMember(email: $email, role: $role, teamId: $teamId) ${sent} }`;
export const resendInvitation = `mutation ($id: ResourceId!) { result: resendInvitation(id: $id) ${sent} }`;
export const revokeInvitation =
  'mutation ($id: ResourceId!) { result: revokeInvitation(id: $id) { id state } }';
export const acceptInvitation =
  'mutation ($token: String!) { result: acceptInvitation(token: $token) { organization { id name } } }';
export const lookAtInvitation =
  'query ($token: String!) { result: invitation(token: $token) { organizationName email role invitedBy expiresAt needsAccount needsPassword } }';

export const tokenIn = (link: string): string => new URL(link).searchParams.get('invitation') ?? '';

/** An administrator invites this address. */
export async function invite(
  admin: Pick<TestSession, 'graph'>,
  email: string,
  terms: { role?: string; teamId?: string } = {},
): Promise<Sent & { token: string }> {
  const { data, errors } = await admin.graph<{ result: Sent }>(inviteMember, {
    email,
    role: 'MEMBER',
    ...terms,
  });
  if (!data) throw new Error(JSON.stringify(errors));
  return { ...data.result, token: tokenIn(data.result.link) };
}
