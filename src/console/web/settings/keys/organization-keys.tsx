import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { useViewer } from '../../session/session.tsx';
import { CreateOrganizationKeyDocument, OrganizationKeysDocument } from './documents.ts';
import type { ExampleCall } from './example-command.tsx';
import { KeysPage } from './keys-page.tsx';

export function OrganizationKeys() {
  const { features } = useViewer();
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(OrganizationKeysDocument, { page }, { typenames: ['ApiKey'] });
  return (
    <KeysPage
      title="Organization keys"
      lead="A key lets a program act for the organization: it can manage users, teams and sponsorship, as far as these features are enabled."
      answer={{ ...answer, data: answer.data?.apiKeys }}
      createDocument={CreateOrganizationKeyDocument}
      exampleCalls={exampleCallsFor(features)}
      page={page}
      onPage={setPage}
    />
  );
}

// GraphQL answers every key, whichever features are enabled.
const whoAmI: ExampleCall = {
  path: '/graphql',
  does: 'shows the organization of the key',
  body: '{"query":"{ organization { name } }"}',
};

function exampleCallsFor(features: readonly string[]): ExampleCall[] {
  const exampleCalls: ExampleCall[] = [];
  if (features.includes('userManagement'))
    exampleCalls.push({ path: '/api/user-management/v1/users', does: 'lists the users' });
  if (features.includes('partnerSponsorship') && features.includes('partnerSponsorshipApi')) {
    exampleCalls.push({ path: '/api/sponsorship/v1/campaigns', does: 'lists the campaigns' });
  }
  return exampleCalls.length > 0 ? exampleCalls : [whoAmI];
}
