import { useSession, useViewer } from '../session/session.tsx';

/**
 * Chooses the organization that requests name. A person whose only organization is the default one
 * sees its name instead of a list.
 */
export function OrganizationSwitch() {
  const { choose } = useSession();
  const { organization, memberships } = useViewer();
  if (memberships.length === 0) return <span className="frame-organization">No organization</span>;
  if (organization && memberships.length === 1)
    return <span className="frame-organization">{organization.name}</span>;
  return (
    <select
      className="frame-organization"
      aria-label="Organization"
      value={organization?.id ?? ''}
      onChange={({ target }) => choose(target.value)}
    >
      {!organization && (
        <option value="" disabled>
          Choose an organization
        </option>
      )}
      {memberships.map(({ organization: { id, name }, isAccepted }) => (
        <option key={id} value={id}>
          {isAccepted ? name : `${name} (added you, not accepted)`}
        </option>
      ))}
    </select>
  );
}
