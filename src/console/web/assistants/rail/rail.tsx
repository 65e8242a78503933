import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/status.tsx';
import { useConversationChanges } from '../chat/conversation-changes.ts';
import { ConversationsDocument, type ListedConversationFragment } from '../documents.ts';
import { ConversationActions, titleOf } from './conversation-actions.tsx';
import { groupByDay } from './conversation-days.ts';
import './rail.css';
import { t } from '../../texts/text.ts';

type RailProps = {
  assistantId: string;
  /** The conversation that is open. */
  conversationId: string | undefined;
  onNew: () => void;
  onDeleted: (conversationId: string) => void;
};
type ListProps = Pick<RailProps, 'conversationId' | 'onDeleted'>;

const pageSize = 40;
const refreshMs = 30_000;
// The list is drawn anew for another assistant; the search stays.
let lastSearch = '';

/** The conversations of the person with all assistants, and the button for a new one. */
export function Rail({ assistantId, onNew, ...list }: RailProps) {
  const [search, setSearch] = useState(lastSearch);
  return (
    <nav className="rail" aria-label={t('chat.conversations')}>
      <Link
        className="button button-plain rail-new"
        href={`~/assistants/${assistantId}`}
        onClick={onNew}
      >
        <Icon name="plus" /> {t('chat.newChat')}
      </Link>
      <SearchField
        label={t('chat.searchConversations')}
        placeholder={t('assistants.search')}
        value={search}
        onSearch={(text) => {
          lastSearch = text;
          setSearch(text);
        }}
      />
      {search === '' && <PinnedConversations {...list} />}
      <ConversationPage
        key={search}
        search={search}
        after={null}
        previousDay={undefined}
        {...list}
      />
    </nav>
  );
}

function useConversations(variables: {
  search: string | null;
  isPinned: boolean | null;
  first: number;
  after: string | null;
}) {
  const answer = useGraphQuery(ConversationsDocument, variables, {
    refreshMs,
    typenames: ['Conversation'],
  });
  useConversationChanges(answer.refetch);
  return answer;
}

function PinnedConversations(list: ListProps) {
  const { data } = useConversations({ search: null, isPinned: true, first: 100, after: null });
  const pinned = data?.conversations.nodes ?? [];
  if (pinned.length === 0) return null;
  return (
    <>
      <h2 className="rail-day">{t('chat.pinned')}</h2>
      <ConversationList conversations={pinned} {...list} />
    </>
  );
}

/** One page of the list, and the next one when the person asks for it. */
function ConversationPage({
  search,
  after,
  previousDay,
  ...list
}: ListProps & { search: string; after: string | null; previousDay: string | undefined }) {
  const [showsNext, setShowsNext] = useState(false);
  const answer = useConversations({
    search: search || null,
    isPinned: search === '' ? false : null,
    first: pageSize,
    after,
  });
  return (
    <Loaded answer={answer} lines={4}>
      {({ conversations: { nodes, pageInfo } }) => {
        // A conversation is created just before its first question.
        const begun = nodes.filter(({ activeMessageId }) => activeMessageId !== null);
        const groups = groupByDay(begun, new Date());
        return (
          <>
            {begun.length === 0 && after === null && (
              <p className="hint rail-empty">
                {search === ''
                  ? t('chat.conversationsAppearHere')
                  : t('chat.noConversationMatches')}
              </p>
            )}
            {groups.map(({ label, items }) => (
              <div key={label}>
                {label !== previousDay && <h2 className="rail-day">{label}</h2>}
                <ConversationList conversations={items} {...list} />
              </div>
            ))}
            {pageInfo.hasNextPage &&
              (showsNext ? (
                <ConversationPage
                  search={search}
                  after={pageInfo.endCursor}
                  previousDay={groups.at(-1)?.label}
                  {...list}
                />
              ) : (
                <Button kind="quiet" onClick={() => setShowsNext(true)}>
                  {t('chat.showMore')}
                </Button>
              ))}
          </>
        );
      }}
    </Loaded>
  );
}

const ConversationList = ({
  conversations,
  conversationId,
  onDeleted,
}: ListProps & { conversations: readonly ListedConversationFragment[] }) => (
  <ul className="plain-list">
    {conversations.map((conversation) => {
      const { id, assistantId } = conversation;
      return (
        <li key={id} className="rail-item">
          <Link
            href={`~/assistants/${assistantId}/c/${id}`}
            aria-current={id === conversationId ? 'page' : undefined}
          >
            {titleOf(conversation)}
          </Link>
          <ConversationActions conversation={conversation} onDeleted={() => onDeleted(id)} />
        </li>
      );
    })}
  </ul>
);
