import type { ApiFault } from '../../graph/fault.ts';
import { useSession } from '../../session/session.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';

const refusals = {
  INVITATION_EXPIRED: {
    title: 'This invitation has expired',
    text: 'An invitation is valid for seven days. Ask the person who invited you for a new one.',
  },
  INVITATION_USED: {
    title: 'This invitation was already used',
    text: 'Somebody has already joined with it. If it was you, sign in.',
  },
  INVITATION_REVOKED: {
    title: 'This invitation was revoked',
    text: 'An administrator revoked it. If you think that this is a mistake, ask the person who invited you.',
  },
  ALREADY_MEMBER: {
    title: 'You are already a member',
    text: 'You belong to this organization, so there is nothing left to accept.',
  },
  NOT_FOUND: {
    title: 'This invitation does not exist',
    text: 'The link may be incomplete, or a newer link has replaced it. Look for the latest e-mail, or ask for a new link.',
  },
} as const;

const isKnown = (name: string | undefined): name is keyof typeof refusals =>
  name !== undefined && Object.hasOwn(refusals, name);
const refusalOf = ({ reason, code }: ApiFault) =>
  isKnown(reason) ? refusals[reason] : isKnown(code) ? refusals[code] : undefined;

/** Whether the error says that the invitation cannot be used, as opposed to a temporary failure. */
export const isRefusal = (fault: ApiFault): boolean => refusalOf(fault) !== undefined;

export function Refused({ fault }: { fault: ApiFault }) {
  const { viewer } = useSession();
  const { title, text } = refusalOf(fault) ?? {
    title: 'This invitation cannot be used',
    text: fault.message,
  };
  return (
    <>
      <PageHead title={title} lead={text} />
      <LinkButton href={viewer ? '~/' : '~/auth'} kind="primary">
        {viewer ? 'Go to Atrium' : 'Sign in'}
      </LinkButton>
    </>
  );
}
