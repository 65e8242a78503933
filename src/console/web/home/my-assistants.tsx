import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import type { HomeQuery } from './documents.ts';

type HomeAssistants = HomeQuery['assistants'];

const shownMax = 6;
const levelLabels: Record<HomeAssistants[number]['myLevel'], string> = {
  VIEW: 'shared with you',
  EDIT: 'you can edit',
  OWNER: 'yours',
};

export function MyAssistants({ assistants }: { assistants: HomeAssistants }) {
  return (
    <Card
      title="Your assistants"
      actions={assistants.length > 0 && <LinkButton href="/assistants">All assistants</LinkButton>}
    >
      {assistants.length === 0 ? (
        <EmptyState
          title="No assistants yet"
          action={
            <LinkButton kind="primary" href="/assistants/new">
              <Icon name="plus" /> Create an assistant
            </LinkButton>
          }
        >
          Assistants that others share with you also appear here.
        </EmptyState>
      ) : (
        <ul className="home-list">
          {assistants.slice(0, shownMax).map(({ id, name, myLevel, fileCount }) => (
            <li key={id}>
              <span className="home-name">
                <strong>{name}</strong> <Badge>{levelLabels[myLevel]}</Badge>
                {fileCount !== undefined && (
                  <span className="hint">
                    {' '}
                    {fileCount === 1 ? '1 file' : `${fileCount.toLocaleString()} files`}
                  </span>
                )}
              </span>
              <LinkButton href={`/assistants/${id}`}>
                <Icon name="chat" /> Ask<span className="sr-only"> {name}</span>
              </LinkButton>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
