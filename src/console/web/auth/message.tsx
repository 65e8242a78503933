import type { ReactNode } from 'react';
import { useSession } from '../session/session.tsx';
import { t } from '../texts/text.ts';
import { LinkButton } from '../ui/button.tsx';
import { PageHead } from '../ui/page.tsx';

type MessageProps = { title: string; lead: ReactNode };

/** A page that says what happened, with a link to continue. */
export const Message = ({
  title,
  lead,
  href,
  label,
}: MessageProps & { href: string; label: string }) => (
  <>
    <PageHead key={title} title={title} lead={lead} />
    <LinkButton href={href} kind="primary">
      {label}
    </LinkButton>
  </>
);

/** A message after which a person opens Atrium, or signs in first. */
export function FinalMessage(message: MessageProps) {
  const { viewer } = useSession();
  return viewer ? (
    <Message {...message} href="~/" label={t('auth.goToAtrium')} />
  ) : (
    <Message {...message} href="~/auth" label={t('auth.signIn')} />
  );
}
