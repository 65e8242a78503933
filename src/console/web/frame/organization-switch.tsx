import { useSession, useViewer } from '../session/session.tsx';

/** In which organization the console asks. Somebody with one sees its name only. */
export function OrganizationSwitch() {
  const { choose } = useSession();
  const { organization, memberships } = useViewer();
  if (!organization) return <span className="frame-organization">No organization</span>;
  if (memberships.length < 2) return <span className="frame-organization">{organization.name}</span>;
  return (
    <select className="frame-organization" aria-label="Organization" value={organization.id} onChange={({ target }) => choose(target.value)}>
      {memberships.map(({ organization: { id, name } }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
