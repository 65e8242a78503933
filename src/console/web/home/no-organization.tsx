import { useSession, useViewer } from '../session/session.tsx';
import { t } from '../texts/text.ts';
import { Button, CopyButton } from '../ui/button.tsx';
import { Card, PageHead } from '../ui/page.tsx';
import { Notice } from '../ui/status.tsx';

/**
 * For a person without a default organization: the organizations that added them, and how to join
 * or create one.
 */
export function NoOrganization() {
  const { signOut, choose } = useSession();
  const { person, isPlatformSupport, memberships } = useViewer();
  return (
    <>
      <PageHead title={t('home.inNoOrganization')} lead={t('home.accountReady')} />
      {isPlatformSupport && <Notice>{t('home.platformSupport')}</Notice>}
      <div className="cards">
        {memberships.length > 0 && (
          <Card title={t('home.organizationsThatAddedYou')}>
            <ul className="home-list plain-list">
              {memberships.map(({ organization: { id, name }, isAccepted }) => (
                <li key={id} className="spread">
                  <span className="home-name">{name}</span>
                  <Button subject={name} onClick={() => choose(id)}>
                    {isAccepted ? t('home.open') : t('home.acceptAndOpen')}
                  </Button>
                </li>
              ))}
            </ul>
            <p className="quiet">{t('home.seesYourName')}</p>
          </Card>
        )}
        <Card title={t('home.joinOrganization')}>
          <p>{t('home.joinOrganizationHint')}</p>
          <div className="secret">
            <code>{person.email}</code>
            <CopyButton text={person.email} label={t('home.copyAddress')} />
          </div>
          <p className="quiet">{t('home.invitedElsewhere')}</p>
          <Button onClick={signOut}>{t('home.useAnotherAccount')}</Button>
        </Card>
        <Card title={t('home.openSponsoredLink')}>
          <p>{t('home.openSponsoredLinkHint')}</p>
        </Card>
      </div>
    </>
  );
}
