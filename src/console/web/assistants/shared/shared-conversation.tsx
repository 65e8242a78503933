import { Route, Switch } from 'wouter';
import { NotFound } from '../../frame/not-found.tsx';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { CopyButton, LinkButton } from '../../ui/button.tsx';
import { PageHead } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { AnswerText } from '../chat/answer-text.tsx';
import { SharedConversationDocument, type SharedConversationQuery } from '../documents.ts';
import '../chat/answer.css';
import '../chat/chat.css';
import { richText, t } from '../../texts/text.ts';

/** The pages of links to conversations. */
export const Conversations = () => (
  <Switch>
    <Route path="/shared/:token">{({ token }) => <SharedConversation token={token} />}</Route>
    <Route component={NotFound} />
  </Switch>
);

type SharedMessage = SharedConversationQuery['sharedConversation']['messages'][number];

function SharedConversation({ token }: { token: string }) {
  const answer = useGraphQuery(SharedConversationDocument, { token });
  const { data, fault } = answer;
  if (fault?.code === 'NOT_FOUND')
    return (
      <>
        <PageHead title={t('chat.conversationNotFound')} />
        <EmptyState
          title={t('chat.sharedLinkDead')}
          action={<LinkButton href="~/">{t('chat.goHome')}</LinkButton>}
        >
          {t('chat.sharedLinkDeadHint')}
        </EmptyState>
      </>
    );
  const assistant = data?.sharedConversation.assistant;
  return (
    <div className="assistants-shared">
      <PageHead
        title={data?.sharedConversation.title ?? t('chat.sharedConversation')}
        lead={
          data &&
          richText('chat.sharedOn', {
            hasAssistant: assistant ? 'yes' : 'no',
            name: assistant?.name ?? '',
            time: () => <Time at={data.sharedConversation.sharedAt} style="moment" />,
          })
        }
        actions={
          assistant && (
            <LinkButton icon="chat" href={`~/assistants/${assistant.id}`}>
              {t('chat.ask', { name: assistant.name })}
            </LinkButton>
          )
        }
      />
      <Loaded answer={answer} lines={6}>
        {({ sharedConversation: { messages } }) => (
          <ol className="plain-list">
            {messages.map((message, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a shared conversation does not change
              <li key={index}>
                <MessageView message={message} name={assistant?.name ?? t('chat.assistant')} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </div>
  );
}

const noCitations: readonly never[] = [];
const ignore = () => undefined;

function MessageView({ message, name }: { message: SharedMessage; name: string }) {
  const { role, text, citations } = message;
  if (role === 'USER')
    return (
      <article className="assistants-question" aria-label={t('chat.question')}>
        <p className="assistants-plain">{text}</p>
      </article>
    );
  return (
    <article aria-label={name}>
      <AnswerText text={text} citations={noCitations} onCite={ignore} />
      {citations.length > 0 && (
        <p className="hint">
          {t('chat.sourceList', { list: citations.map(formatSource).join(', ') })}
        </p>
      )}
      {text !== '' && <CopyButton text={text} label={t('chat.copyAnswer')} />}
    </article>
  );
}

/** `handbook.pdf#page=3` as people write it. */
const formatSource = (citation: string): string =>
  citation.replace(/^(.*)#page=(\d+)$/s, (_, originalName: string, page: string) =>
    t('chat.filePage', { originalName, page }),
  );
