import { Route, Switch } from 'wouter';
import { NotFound } from '../frame/not-found.tsx';
import { useViewer } from '../session/session.tsx';
import { PageHead, Tabs } from '../ui/page.tsx';
import { EmptyState } from '../ui/status.tsx';
import { DocumentList } from './document-list.tsx';
import { SearchPage } from './search-page.tsx';
import { StatePage } from './state-page.tsx';
import './vault.css';

const items = [
  { href: '/', label: 'State' },
  { href: '/documents', label: 'Documents' },
  { href: '/search', label: 'Search' },
];

/**
 * The section for the vault, which stores and searches files as passages: its state, its documents,
 * and an explained search.
 */
export function Vault() {
  const { organization, isAdmin } = useViewer();
  if (!organization || !isAdmin) {
    return (
      <>
        <PageHead title="Vault" />
        <EmptyState title="This page is for administrators">
          Ask an administrator of your organization about the vault.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHead
        title="Vault"
        lead="The vault splits the files of all assistants into passages and searches them."
      />
      <Tabs label="Vault" items={items} />
      <Switch>
        <Route path="/" component={StatePage} />
        <Route path="/documents" component={DocumentList} />
        <Route path="/search" component={SearchPage} />
        <Route component={NotFound} />
      </Switch>
    </>
  );
}
