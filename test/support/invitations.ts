import type { TestSession } from './sign-in.ts';

export type SentInvitation = {
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

const sentInvitation =
  '{ link isMailed invitation { id email role state team { id } invitedBy { id } createdAt expiresAt } }';
export const inviteMember = `mutation ($email: EmailAddress!, $role: Role!, $teamId: ID) { result: inviteMember(input: { email: $email, role: $role, teamId: $teamId }) ${sentInvitation} }`;
export const resendInvitation = `mutation ($id: ID!) { result: resendInvitation(input: { id: $id }) ${sentInvitation} }`;
export const revokeInvitation =
  'mutation ($id: ID!) { result: revokeInvitation(input: { id: $id }) { invitation { id state } } }';
export const acceptInvitation =
  'mutation ($token: String!) { result: acceptInvitation(input: { token: $token }) { organization { id name } } }';
export const previewInvitation =
  'query ($token: String!) { result: invitation(token: $token) { organizationName email role invitedBy expiresAt needsAccount needsPassword } }';

export const tokenIn = (link: string): string => new URL(link).searchParams.get('invitation') ?? '';

/** Invites an address as an administrator. */
export async function invite(
  admin: Pick<TestSession, 'graph'>,
  email: string,
  terms: { role?: string; teamId?: string } = {},
): Promise<SentInvitation & { token: string }> {
  const { data, errors } = await admin.graph<{ result: SentInvitation }>(inviteMember, {
    email,
    role: 'MEMBER',
    ...terms,
  });
  if (!data) throw new Error(JSON.stringify(errors));
  return { ...data.result, token: tokenIn(data.result.link) };
}
