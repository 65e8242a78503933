import { useEffect, useRef, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
import { takeAskedQuestion } from '../session/asked-question.ts';
import { LinkButton } from '../ui/button.tsx';
import { PageHead, Tabs } from '../ui/page.tsx';
import { EmptyState, Loaded } from '../ui/status.tsx';
import { ChatPage } from './chat/chat-page.tsx';
import { useChat } from './chat/use-chat.ts';
import { AssistantDocument } from './documents.ts';
import { Files } from './files/files.tsx';
import { AssistantSettings } from './settings/assistant-settings.tsx';

const back = { href: '~/assistants', label: 'Assistants' };
const conversationPath = /^\/c\/([^/]+)$/;

/** One assistant. A running answer is followed while the person looks at the files or settings. */
export function AssistantPage({ assistantId }: { assistantId: string }) {
  const [path, go] = useLocation();
  const [, pathConversation] = conversationPath.exec(path) ?? [];
  const isChat = path === '/' || pathConversation !== undefined;
  // The tab of the chat leads back to the conversation that was open.
  const [lastConversation, setLastConversation] = useState(pathConversation);
  useEffect(() => {
    if (isChat) setLastConversation(pathConversation);
  }, [isChat, pathConversation]);
  const conversationId = isChat ? pathConversation : lastConversation;
  const latestPath = useRef(path);
  useEffect(() => {
    latestPath.current = path;
  });
  const chat = useChat(assistantId, conversationId, (startedId) => {
    if (latestPath.current === '/') go(`/c/${startedId}`, { replace: true });
    else setLastConversation(startedId);
  });
  const latestSend = useRef(chat.send);
  useEffect(() => {
    latestSend.current = chat.send;
  });
  useEffect(() => {
    const question = takeAskedQuestion(assistantId);
    if (question !== null) latestSend.current(question);
  }, [assistantId]);
  const answer = useGraphQuery(AssistantDocument, { assistantId });
  const { data, fault } = answer;
  const isGone = fault?.code === 'NOT_FOUND' || fault?.code === 'FORBIDDEN';
  const chatPath = conversationId === undefined ? '/' : `/c/${conversationId}`;
  const tabs = (
    <Tabs
      label="This assistant"
      items={[
        { href: chatPath, label: 'Chat' },
        { href: '/files', label: 'Files' },
        { href: '/settings', label: 'Settings' },
      ]}
    />
  );

  if (isChat && !(isGone && pathConversation === undefined))
    return (
      <ChatPage
        assistantId={assistantId}
        conversationId={conversationId}
        name={data?.assistant.name ?? 'Assistant'}
        assistant={data?.assistant}
        tabs={!isGone && tabs}
        fault={isGone ? undefined : fault}
        canAsk={!isGone}
        isLoading={!data && !fault}
        chat={chat}
      />
    );
  if (isGone) {
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
      {tabs}
      <Loaded answer={answer} lines={6}>
        {({ assistant }) => (
          <Switch>
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
