import { t } from '../texts/text.ts';
import { LinkButton } from '../ui/button.tsx';
import { PageHead } from '../ui/page.tsx';
import { EmptyState } from '../ui/status.tsx';

export function NotFound() {
  return (
    <>
      <PageHead title={t('frame.pageNotFound')} />
      <EmptyState
        title={t('frame.noSuchAddress')}
        action={<LinkButton href="~/">{t('frame.goHome')}</LinkButton>}
      >
        {t('frame.addressHint')}
      </EmptyState>
    </>
  );
}
