import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { ConfirmPassword, isNotRecent } from '../../session/confirm-password.tsx';
import { useViewer } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { useToast } from '../../ui/toast.tsx';
import { displayName } from '../display-name.ts';
import { KeysOfAdministratorDocument, TakeOverKeyDocument } from '../keys/documents.ts';
import type { OrganizationMember } from './organization-member.ts';

/**
 * The organization keys that are revoked when this person stops being an administrator. A button
 * keeps a key by taking it over.
 */
export function KeysOfAdministrator({ user }: { user: OrganizationMember }) {
  const { person } = useViewer();
  const { data } = useGraphQuery(
    KeysOfAdministratorDocument,
    { responsibleId: user.id },
    { typenames: ['ApiKey'] },
  );
  const keys = data?.apiKeys.items ?? [];
  if (keys.length === 0 || user.id === person.id) return null;
  return (
    <section className="settings-section">
      <h3>Organization keys of {displayName(user)}</h3>
      <p className="quiet">
        These keys are revoked when {displayName(user)} is no longer an administrator. Keep a key to
        become responsible for it yourself.
      </p>
      <ul>
        {keys.map((key) => (
          <li key={key.id}>
            {key.name} <KeepKey id={key.id} name={key.name} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function KeepKey({ id, name }: { id: string; name: string }) {
  const { run, busy, fault, clear } = useGraphMutation(TakeOverKeyDocument, {
    invalidates: ['ApiKey'],
  });
  const toast = useToast();
  const keep = async () => {
    if (await run({ id })) toast(`You are now responsible for “${name}”`);
  };
  return (
    <>
      <Button onClick={keep} busy={busy}>
        Keep<span className="sr-only"> {name}</span>
      </Button>
      {fault && !isNotRecent(fault) && <FaultNote fault={fault} />}
      <ConfirmPassword fault={fault} onConfirmed={keep} onClose={clear} />
    </>
  );
}
