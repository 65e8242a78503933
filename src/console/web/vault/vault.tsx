import { Route, Switch } from 'wouter';
import { NotFound } from '../frame/not-found.tsx';
import { useViewer } from '../session/session.tsx';
import { PageHead, Tabs } from '../ui/page.tsx';
import { EmptyState } from '../ui/status.tsx';
import { DocumentList } from './document-list.tsx';
import { SearchPage } from './search-page.tsx';
import { StatePage } from './state-page.tsx';
import './vault.css';
import { t, withTexts } from '../texts/text.ts';

const items = [
  { href: '/', label: 'vault.state' },
  { href: '/documents', label: 'vault.documents' },
  { href: '/search', label: 'vault.search' },
] as const;

/**
 * The section for the vault, which stores and searches files as passages: its state, its documents,
 * and an explained search.
 */
export function Vault() {
  const { organization, isAdmin } = useViewer();
  if (!organization || !isAdmin) {
    return (
      <>
        <PageHead title={t('vault.vault')} />
        <EmptyState title={t('vault.forAdministrators')}>{t('vault.askAdministrator')}</EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHead title={t('vault.vault')} lead={t('vault.vaultLead')} />
      <Tabs label={t('vault.vault')} items={withTexts(items)} />
      <Switch>
        <Route path="/" component={StatePage} />
        <Route path="/documents" component={DocumentList} />
        <Route path="/search" component={SearchPage} />
        <Route component={NotFound} />
      </Switch>
    </>
  );
}
