import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { CreateUserKeyDocument, MyKeysDocument } from './documents.ts';
import { KeysPage } from './keys-page.tsx';

export function MyKeys() {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(MyKeysDocument, { page }, { typenames: ['ApiKey'] });
  return (
    <KeysPage
      title="My keys"
      lead="A key lets a program act as you in this organization: it can run the assistants that are shared with you, and manage their files."
      answer={{ ...answer, data: answer.data?.myApiKeys }}
      createDocument={CreateUserKeyDocument}
      exampleCalls={[{ path: '/api/assistants/v1', does: 'lists your assistants' }]}
      page={page}
      onPage={setPage}
    />
  );
}
