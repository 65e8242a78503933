import type { Fault } from '../../graph/fault.ts';
import { useSession } from '../../session/session.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';

const pages = {
  INVITATION_EXPIRED: {
    title: 'This invitation has expired',
    text: 'An invitation holds for seven days. Ask whoever invited you for a new link.',
  },
  INVITATION_USED: {
    title: 'This invitation was used',
    text: 'Somebody has joined with it already. If that was you, simply sign in.',
  },
  INVITATION_REVOKED: {
    title: 'This invitation was withdrawn',
    text: 'Whoever invited you has taken it back. Ask them if you think that this is a mistake.',
  },
  ALREADY_MEMBER: {
    title: 'You are in already',
    text: 'You are a member of this organization; there is nothing left to accept.',
  },
  NOT_FOUND: {
    title: 'This link leads nowhere',
    text: 'It may be incomplete, or a newer link has taken its place. Look for the latest mail, or ask for a new link.',
  },
} as const;

const isKnown = (name: string | undefined): name is keyof typeof pages =>
  name !== undefined && Object.hasOwn(pages, name);
const pageOf = ({ reason, code }: Fault) =>
  isKnown(reason) ? pages[reason] : isKnown(code) ? pages[code] : undefined;

/** Whether this says that the invitation leads nowhere, now or ever. */
export const isRefusal = (fault: Fault): boolean => pageOf(fault) !== undefined;

export function Refused({ fault }: { fault: Fault }) {
  const { viewer } = useSession();
  const { title, text } = pageOf(fault) ?? {
    title: 'This invitation can not be used',
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
