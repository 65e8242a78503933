import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { useViewer } from '../../session/session.tsx';
import { CreateOrganizationKeyDocument, OrganizationKeysDocument } from './documents.ts';
import { KeysPage } from './keys-page.tsx';
import type { Try } from './try-key.tsx';

export function OrganizationKeys() {
  const { features } = useViewer();
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(OrganizationKeysDocument, { page }, { typenames: ['ApiKey'] });
  return (
    <KeysPage
      title="Organization keys"
      lead="A key lets a program act for the organization: it manages users and teams, and sponsorship, as far as these are switched on."
      answer={{ ...answer, data: answer.data?.apiKeys }}
      createDocument={CreateOrganizationKeyDocument}
      tries={triesOf(features)}
      page={page}
      onPage={setPage}
    />
  );
}

// The graph answers a key whatever is switched on.
const whoAmI: Try = {
  path: '/graphql',
  what: 'asks whose key it is',
  body: '{"query":"{ organization { name } }"}',
};

function triesOf(features: readonly string[]): Try[] {
  const tries: Try[] = [];
  if (features.includes('userManagement'))
    tries.push({ path: '/api/user-management/v1/users', what: 'lists the users' });
  if (features.includes('partnerSponsorship') && features.includes('partnerSponsorshipApi')) {
    tries.push({ path: '/api/sponsorship/v1/campaigns', what: 'lists the campaigns' });
  }
  return tries.length > 0 ? tries : [whoAmI];
}
