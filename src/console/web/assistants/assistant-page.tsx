import { Route, Switch } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
import { LinkButton } from '../ui/button.tsx';
import { PageHead, Tabs } from '../ui/page.tsx';
import { EmptyState, Loaded } from '../ui/status.tsx';
import { Chat } from './chat/chat.tsx';
import { useChat } from './chat/use-chat.ts';
import { AssistantDocument } from './documents.ts';
import { Files } from './files/files.tsx';
import { AssistantSettings } from './settings/assistant-settings.tsx';

const back = { href: '~/assistants', label: 'Assistants' };
const tabs = [
  { href: '/', label: 'Chat' },
  { href: '/files', label: 'Files' },
  { href: '/settings', label: 'Settings' },
];

/** One assistant. A running answer continues while the person looks at the files or settings. */
export function AssistantPage({ assistantId }: { assistantId: string }) {
  const answer = useGraphQuery(AssistantDocument, { assistantId });
  const chat = useChat(assistantId);
  const { data, fault } = answer;
  if (fault && (fault.code === 'NOT_FOUND' || fault.code === 'FORBIDDEN')) {
    return (
      <>
        <PageHead title="Assistant not found" back={back} />
        <EmptyState
          title={fault.message}
          action={<LinkButton href={back.href}>Show all assistants</LinkButton>}
        >
          It was deleted, or it is no longer shared with you.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHead title={data?.assistant.name ?? 'Assistant'} back={back} />
      <Tabs label="This assistant" items={tabs} />
      <Loaded answer={answer} lines={6}>
        {({ assistant }) => (
          <Switch>
            <Route path="/">
              <Chat assistant={assistant} chat={chat} />
            </Route>
            <Route path="/files">
              <Files assistantId={assistant.id} level={assistant.myLevel} />
            </Route>
            <Route path="/settings">
              <AssistantSettings assistant={assistant} />
            </Route>
            <Route>
              <EmptyState
                title="Page not found"
                action={<LinkButton href="/">Go to chat</LinkButton>}
              />
            </Route>
          </Switch>
        )}
      </Loaded>
    </>
  );
}
