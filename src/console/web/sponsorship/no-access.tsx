import { richText, t } from '../texts/text.ts';
import { Card, PageHead } from '../ui/page.tsx';

/** Shown to people who cannot use this section: what it is, and who can enable it. */
export function NoAccess({ isAdmin }: { isAdmin: boolean }) {
  return (
    <>
      <PageHead title={t('sponsorship.sponsorship')} lead={t('sponsorship.noAccessLead')} />
      <Card
        title={isAdmin ? t('sponsorship.featureNotEnabled') : t('sponsorship.forAdministrators')}
      >
        <p>{t('sponsorship.noAccessHint')}</p>
        <p>
          {isAdmin
            ? richText('sponsorship.askForFeature', { b: (text) => <strong>{text}</strong> })
            : t('sponsorship.askAdministrator')}
        </p>
      </Card>
    </>
  );
}
