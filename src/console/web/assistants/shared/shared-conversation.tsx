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
        <PageHead title="Conversation not found" />
        <EmptyState
          title="This link does not work"
          action={<LinkButton href="~/">Go to Home</LinkButton>}
        >
          The link was removed, the conversation was deleted, or it belongs to another organization.
        </EmptyState>
      </>
    );
  const assistant = data?.sharedConversation.assistant;
  return (
    <div className="assistants-shared">
      <PageHead
        title={data?.sharedConversation.title ?? 'Shared conversation'}
        lead={
          data && (
            <>
              Shared on <Time at={data.sharedConversation.sharedAt} style="moment" />
              {assistant && <>, with {assistant.name}</>}.
            </>
          )
        }
        actions={
          assistant && (
            <LinkButton icon="chat" href={`~/assistants/${assistant.id}`}>
              Ask {assistant.name}
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
                <MessageView message={message} name={assistant?.name ?? 'Assistant'} />
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
      <article className="assistants-question" aria-label="Question">
        <p className="assistants-plain">{text}</p>
      </article>
    );
  return (
    <article aria-label={name}>
      <AnswerText text={text} citations={noCitations} onCite={ignore} />
      {citations.length > 0 && (
        <p className="hint">Sources: {citations.map(formatSource).join(', ')}</p>
      )}
      {text !== '' && <CopyButton text={text} label="Copy answer" />}
    </article>
  );
}

/** `handbook.pdf#page=3` as people write it. */
const formatSource = (citation: string): string => citation.replace(/#page=(\d+)$/, ', page $1');
