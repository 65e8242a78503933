import { useEffect, useRef, useState } from 'react';
import { Route, Switch, useLocation, useRouter } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
import { takeAskedQuestion } from '../session/asked-question.ts';
import { t } from '../texts/text.ts';
import { LinkButton } from '../ui/button.tsx';
import { PageHead, Tabs } from '../ui/page.tsx';
import { EmptyState, Loaded } from '../ui/status.tsx';
import { AssistantMenu } from './assistant-menu.tsx';
import { carryDraft, takeCarriedDraft } from './chat/carried-draft.ts';
import { ChatPage } from './chat/chat-page.tsx';
import { useChat } from './chat/use-chat.ts';
import { joinDrafts } from './chat/use-draft.ts';
import { AssistantDocument } from './documents.ts';
import { FavoriteButton } from './favorite-button.tsx';
import { AssistantFeedback } from './feedback/assistant-feedback.tsx';
import { Files } from './files/files.tsx';
import { mayEdit } from './levels.ts';
import { AssistantSettings } from './settings/assistant-settings.tsx';
import { Versions } from './versions/versions.tsx';

const assistantsPath = '~/assistants';
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
  const { base } = useRouter();
  const chat = useChat(assistantId, conversationId, (startedId) => {
    // Set here as well: if the person opens another page now, React never renders the new path.
    setLastConversation(startedId);
    // `path` is the page that React rendered last. The browser's own path is also right while
    // another page, which the person has just opened, is still being rendered.
    if (location.pathname.replace(/\/$/, '') === base) go(`/c/${startedId}`, { replace: true });
  });
  const latestChat = useRef(chat);
  useEffect(() => {
    latestChat.current = chat;
  });
  useEffect(() => {
    const { draft, setDraft, setFiles, send } = latestChat.current;
    const question = takeAskedQuestion(assistantId);
    if (question !== null) send(question);
    const carried = takeCarriedDraft(assistantId);
    if (!carried) return;
    // The chat with this assistant can have a draft already: none of the two is lost.
    setDraft(joinDrafts(draft, carried.text));
    setFiles(carried.files);
  }, [assistantId]);
  const answer = useGraphQuery(AssistantDocument, { assistantId });
  const { data, fault } = answer;
  const isGone = fault?.code === 'NOT_FOUND' || fault?.code === 'FORBIDDEN';
  const chatPath = conversationId === undefined ? '/' : `/c/${conversationId}`;
  const back = { href: assistantsPath, label: t('assistants.assistants') };
  const tabs = (
    <Tabs
      label={t('assistants.thisAssistant')}
      items={[
        { href: chatPath, label: t('assistants.chat') },
        { href: '/files', label: t('assistants.files') },
        { href: '/settings', label: t('assistants.settings') },
        ...(data && mayEdit(data.assistant.myLevel)
          ? [
              { href: '/versions', label: t('assistants.versions') },
              { href: '/feedback', label: t('feedback.feedback') },
            ]
          : []),
      ]}
    />
  );

  if (isChat && !(isGone && pathConversation === undefined))
    return (
      <ChatPage
        assistantId={assistantId}
        conversationId={conversationId}
        name={data?.assistant.name ?? t('assistants.assistant')}
        assistant={data?.assistant}
        favorite={data && !isGone && <FavoriteButton assistant={data.assistant} />}
        model={data?.assistant.model ?? null}
        tabs={!isGone && tabs}
        fault={isGone ? undefined : fault}
        canAsk={!isGone}
        isLoading={!data && !fault}
        onAssistant={(otherId) => {
          carryDraft(otherId, chat.takeDraft());
          go(`${assistantsPath}/${otherId}`);
        }}
        chat={chat}
      />
    );
  if (isGone) {
    return (
      <>
        <PageHead title={t('assistants.notFound')} back={back} />
        <EmptyState
          title={fault.message}
          action={<LinkButton href={back.href}>{t('assistants.showAll')}</LinkButton>}
        >
          {t('assistants.notFoundHint')}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHead
        title={data?.assistant.name ?? t('assistants.assistant')}
        back={back}
        actions={
          data && (
            <>
              <FavoriteButton assistant={data.assistant} />
              <AssistantMenu assistant={data.assistant} />
            </>
          )
        }
      />
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
            <Route path="/versions">
              <Versions assistant={assistant} />
            </Route>
            <Route path="/feedback">
              <AssistantFeedback assistantId={assistant.id} />
            </Route>
            <Route>
              <EmptyState
                title={t('assistants.pageNotFound')}
                action={<LinkButton href="/">{t('assistants.goToChat')}</LinkButton>}
              />
            </Route>
          </Switch>
        )}
      </Loaded>
    </>
  );
}
