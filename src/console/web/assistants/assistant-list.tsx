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
import { levelTexts } from './levels.ts';

type AssistantListItem = AssistantsQuery['assistants']['nodes'][number];

const choices = [
  { value: 'all', label: 'assistants.all' },
  { value: 'mine', label: 'assistants.mine' },
  { value: 'shared', label: 'assistants.sharedWithMe' },
] as const;

/** All assistants that the person may chat with. They are few enough to search in the page. */
export function AssistantList() {
  const { features } = useViewer();
  const answer = useGraphQuery(
    AssistantsDocument,
    { withFiles: features.includes('ASSISTANT_FILES') },
    { typenames: ['Assistant'] },
  );
  const { filter, set } = useFilter(['search', 'show']);
  const { search = '', show: choice = 'all' } = filter;
  const matchesFilter = ({ name, description, myLevel }: AssistantListItem) =>
    containsWords(`${name} ${description}`, search) &&
    (choice === 'all' || (choice === 'mine') === (myLevel === 'OWNER'));
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
            <>
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
                  {t('assistants.noMatchingHint')}
                </EmptyState>
              ) : (
                <AssistantCards assistants={matches} />
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function AssistantCards({ assistants }: { assistants: AssistantListItem[] }) {
  return (
    <GrowingList className="cards plain-list assistants-cards" items={assistants}>
      {({ id, name, description, color, model, myLevel, fileCount, updatedAt }) => (
        <li key={id} className="card">
          <div className="assistants-card-head">
            <Avatar id={id} name={name} color={color} />
            <h2>
              <Link href={`/${id}`}>{name}</Link>
            </h2>
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
      )}
    </GrowingList>
  );
}
