import { Link } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
import { useViewer } from '../session/session.tsx';
import { t, withTexts } from '../texts/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { LinkButton } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { containsWords } from '../ui/fold-text.ts';
import { GrowingList } from '../ui/growing-list.tsx';
import { PageHead } from '../ui/page.tsx';
import { Badge, EmptyState, Loaded } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { useFilter } from '../ui/use-filter.ts';
import { AssistantsDocument, type AssistantsQuery } from './documents.ts';
import { FavoriteButton } from './favorite-button.tsx';
import { levelTexts } from './levels.ts';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';

type AssistantListItem = AssistantsQuery['assistants']['nodes'][number];

const choices = [
  { value: 'all', label: 'assistants.all' },
  { value: 'favorites', label: 'assistants.favorites' },
  { value: 'mine', label: 'assistants.mine' },
  { value: 'shared', label: 'assistants.sharedWithMe' },
] as const;

const none: readonly AssistantListItem[] = [];

/** All assistants that the person may chat with. They are few enough to search in the page. */
export function AssistantList() {
  const { features } = useViewer();
  const answer = useGraphQuery(
    AssistantsDocument,
    { withFiles: features.includes('ASSISTANT_FILES') },
    { typenames: ['Assistant'] },
  );
  // When only favourites are shown, removing the star of an assistant removes its card.
  const { container, onRemoved } = useFocusAfterRemoval(answer.data?.assistants.nodes ?? none);
  const { filter, set } = useFilter(['search', 'show']);
  const { search = '', show: choice = 'all' } = filter;
  const matchesFilter = (assistant: AssistantListItem) =>
    containsWords(`${assistant.name} ${assistant.description}`, search) &&
    matchesChoice(assistant, choice);
  const create = (
    <LinkButton icon="plus" href="/new" kind="primary">
      {t('assistants.newAssistant')}
    </LinkButton>
  );

  return (
    <>
      <PageHead
        title={t('assistants.assistants')}
        lead={t('assistants.assistantsLead')}
        actions={create}
      />
      <Loaded answer={answer} lines={6}>
        {({ assistants: { nodes: assistants } }) => {
          if (assistants.length === 0) {
            return (
              <EmptyState title={t('assistants.noAssistants')} action={create}>
                {t('assistants.noAssistantsHint')}
              </EmptyState>
            );
          }
          const matches = assistants.filter(matchesFilter);
          return (
            <div ref={container} tabIndex={-1}>
              <div className="toolbar">
                <TextField
                  label={t('assistants.search')}
                  type="search"
                  value={search}
                  onText={(text) => set('search', text)}
                />
                <SelectField
                  label={t('assistants.show')}
                  options={withTexts(choices)}
                  value={choice}
                  onValue={(value) => set('show', value === 'all' ? '' : value)}
                />
              </div>
              <p className="sr-only" role="status">
                {t('assistants.matchCount', { matches: matches.length, total: assistants.length })}
              </p>
              {matches.length === 0 ? (
                <EmptyState title={t('assistants.noMatching')}>
                  {choice === 'favorites' && search === ''
                    ? t('assistants.noFavoritesHint')
                    : t('assistants.noMatchingHint')}
                </EmptyState>
              ) : (
                <AssistantCards assistants={matches} onRemoved={onRemoved} />
              )}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

function matchesChoice({ myLevel, isFavorite }: AssistantListItem, choice: string): boolean {
  if (choice === 'favorites') return isFavorite;
  return choice === 'all' || (choice === 'mine') === (myLevel === 'OWNER');
}

type AssistantCardsProps = { assistants: AssistantListItem[]; onRemoved: () => void };

function AssistantCards({ assistants, onRemoved }: AssistantCardsProps) {
  return (
    <GrowingList className="cards plain-list assistants-cards" items={assistants}>
      {(assistant) => {
        const { id, name, description, color, model, myLevel, fileCount, updatedAt } = assistant;
        return (
          <li key={id} className="card">
            <div className="assistants-card-head">
              <Avatar id={id} name={name} color={color} />
              <h2>
                <Link href={`/${id}`}>{name}</Link>
              </h2>
              <FavoriteButton assistant={assistant} onRemoved={onRemoved} />
            </div>
            {description !== '' && <p>{description}</p>}
            <p className="quiet">
              {model ?? t('assistants.defaultModel')}
              {fileCount !== undefined && ` · ${t('assistants.fileCount', { fileCount })}`}
            </p>
            <p className="assistants-card-foot spread">
              <Badge tone={myLevel === 'OWNER' ? 'good' : 'plain'}>
                {t(levelTexts[myLevel].label)}
              </Badge>
              <span className="hint">
                {t('assistants.changed')} <Time at={updatedAt} style="ago" />
              </span>
            </p>
          </li>
        );
      }}
    </GrowingList>
  );
}
