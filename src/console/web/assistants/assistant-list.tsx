import { Link } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
import { useViewer } from '../session/session.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { LinkButton } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { PageHead } from '../ui/page.tsx';
import { Badge, EmptyState, Loaded } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { useFilter } from '../ui/use-filter.ts';
import { AssistantsDocument, type AssistantsQuery } from './documents.ts';
import { levelTexts } from './levels.ts';

type AssistantListItem = AssistantsQuery['assistants']['nodes'][number];

const choices = [
  { value: 'all', label: 'All' },
  { value: 'mine', label: 'Mine' },
  { value: 'shared', label: 'Shared with me' },
];

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
    `${name} ${description}`.toLowerCase().includes(search.trim().toLowerCase()) &&
    (choice === 'all' || (choice === 'mine') === (myLevel === 'OWNER'));
  const create = (
    <LinkButton icon="plus" href="/new" kind="primary">
      New assistant
    </LinkButton>
  );

  return (
    <>
      <PageHead
        title="Assistants"
        lead="Each assistant has its own instructions and files."
        actions={create}
      />
      <Loaded answer={answer} lines={6}>
        {({ assistants: { nodes: assistants } }) => {
          if (assistants.length === 0) {
            return (
              <EmptyState title="No assistants yet" action={create}>
                Create one, add files, and ask questions about them. Assistants that others share
                with you also appear here.
              </EmptyState>
            );
          }
          const matches = assistants.filter(matchesFilter);
          return (
            <>
              <div className="toolbar">
                <TextField
                  label="Search"
                  type="search"
                  value={search}
                  onText={(text) => set('search', text)}
                />
                <SelectField
                  label="Show"
                  options={choices}
                  value={choice}
                  onValue={(value) => set('show', value === 'all' ? '' : value)}
                />
              </div>
              <p className="sr-only" role="status">
                {matches.length} of {assistants.length} assistants
              </p>
              {matches.length === 0 ? (
                <EmptyState title="No matching assistants">
                  Change the search text, or show all assistants.
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
    <ul className="cards plain-list assistants-cards">
      {assistants.map(({ id, name, description, color, model, myLevel, fileCount, updatedAt }) => (
        <li key={id} className="card">
          <div className="assistants-card-head">
            <Avatar id={id} name={name} color={color} />
            <h2>
              <Link href={`/${id}`}>{name}</Link>
            </h2>
          </div>
          {description !== '' && <p>{description}</p>}
          <p className="quiet">
            {model ?? 'Default model'}
            {fileCount !== undefined && ` · ${fileCount} ${fileCount === 1 ? 'file' : 'files'}`}
          </p>
          <p className="assistants-card-foot spread">
            <Badge tone={myLevel === 'OWNER' ? 'good' : 'plain'}>{levelTexts[myLevel].label}</Badge>
            <span className="hint">
              Changed <Time at={updatedAt} style="ago" />
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
