import { useSession } from '../session/session.tsx';
import { t } from '../texts/text.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { PageHead } from '../ui/page.tsx';

/** Shown at a short address of a link while the network of the visitor has opened too many. */
export function ShortLinkRefused() {
  const { viewer } = useSession();
  return (
    <>
      <PageHead title={t('auth.tooManyAddresses')} lead={t('auth.tooManyAddressesHint')} />
      <div className="row">
        <Button kind="primary" onClick={() => location.reload()}>
          {t('auth.tryAgain')}
        </Button>
        <LinkButton href={viewer ? '~/' : '~/auth'}>
          {viewer ? t('auth.goToAtrium') : t('auth.signIn')}
        </LinkButton>
      </div>
    </>
  );
}
