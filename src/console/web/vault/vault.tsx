import { Route, Switch } from 'wouter';
import { NotFound } from '../frame/not-found.tsx';
import { useViewer } from '../session/session.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Tabs } from '../ui/tabs.tsx';
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
 * Where files are kept as passages and searched: how it is, what it holds, and why it finds what it
 * finds.
 */
export function Vault() {
  const { organization, isAdmin } = useViewer();
  if (!organization || !isAdmin) {
    return (
      <>
        <PageHead title="Vault" />
        <EmptyState title="The vault is for administrators">
          Your organization’s administrators see how it is and what it holds.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHead
        title="Vault"
        lead="Files are read, cut into passages and searched here, for every assistant."
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
