import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../graph/use-graph-query.ts';
import { useViewer } from '../session/session.tsx';
import { Badge } from '../ui/badge.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Time } from '../ui/time.tsx';
import { AssistantsDocument, type AssistantsQuery } from './documents.ts';
import { levelWords } from './levels.ts';

type Listed = AssistantsQuery['assistants'][number];

const choices = [
  { value: 'all', label: 'All' },
  { value: 'mine', label: 'Mine' },
  { value: 'shared', label: 'Shared with me' },
];

/** Every assistant that somebody may chat with. They are few enough to be searched in the page. */
export function AssistantList() {
  const { features } = useViewer();
  const answer = useGraphQuery(
    AssistantsDocument,
    { withFiles: features.includes('assistantFiles') },
    { typenames: ['Assistant'] },
  );
  const [words, setWords] = useState('');
  const [choice, setChoice] = useState('all');
  const fits = ({ name, myLevel }: Listed) =>
    name.toLowerCase().includes(words.trim().toLowerCase()) &&
    (choice === 'all' || (choice === 'mine') === (myLevel === 'OWNER'));
  const create = (
    <LinkButton href="/new" kind="primary">
      <Icon name="plus" /> New assistant
    </LinkButton>
  );

  return (
    <>
      <PageHead
        title="Assistants"
        lead="Each answers by its own instructions and files."
        actions={create}
      />
      <Loaded answer={answer} lines={6}>
        {({ assistants }) => {
          if (assistants.length === 0) {
            return (
              <EmptyState title="No assistant yet" action={create}>
                Make one, give it files, and ask it what stands in them. What others share with you
                appears here too.
              </EmptyState>
            );
          }
          const found = assistants.filter(fits);
          return (
            <>
              <div className="toolbar">
                <TextField
                  label="Search"
                  type="search"
                  value={words}
                  onChange={({ target }) => setWords(target.value)}
                />
                <SelectField
                  label="Show"
                  options={choices}
                  value={choice}
                  onChange={({ target }) => setChoice(target.value)}
                />
              </div>
              <p className="sr-only" role="status">
                {found.length} of {assistants.length} assistants
              </p>
              {found.length === 0 ? (
                <EmptyState title="None fits">Look for less, or show all.</EmptyState>
              ) : (
                <AssistantCards assistants={found} />
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function AssistantCards({ assistants }: { assistants: Listed[] }) {
  return (
    <ul className="cards assistants-cards">
      {assistants.map(({ id, name, model, myLevel, fileCount, updatedAt }) => (
        <li key={id} className="card">
          <h2>
            <Link href={`/${id}`}>{name}</Link>
          </h2>
          <p className="quiet">
            {model ?? 'Default model'}
            {fileCount !== undefined && ` · ${fileCount} ${fileCount === 1 ? 'file' : 'files'}`}
          </p>
          <p className="assistants-card-foot">
            <Badge tone={myLevel === 'OWNER' ? 'good' : 'plain'}>{levelWords[myLevel].label}</Badge>
            <span className="hint">
              Changed <Time at={updatedAt} style="ago" />
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
