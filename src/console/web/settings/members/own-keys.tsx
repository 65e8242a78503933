import { useGraphQuery } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { t } from '../../texts/text.ts';
import { Notice } from '../../ui/status.tsx';
import { KeysOfAdministratorDocument } from '../keys/documents.ts';

/**
 * Names the organization keys that are revoked when the person stops being an administrator of the
 * current organization: programs of others can depend on them.
 */
export function OwnKeys() {
  const { person, organization, isAdmin } = useViewer();
  const { data } = useGraphQuery(
    KeysOfAdministratorDocument,
    { responsibleId: person.id },
    { pause: !isAdmin, typenames: ['ApiKey'] },
  );
  const keys = data?.apiKeys.nodes ?? [];
  if (!isAdmin || !organization || keys.length === 0) return null;
  return (
    <Notice tone="busy">
      <p>{t('members.ownKeys', { organization: organization.name })}</p>
      <ul>
        {keys.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </Notice>
  );
}
