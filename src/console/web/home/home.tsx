import { useViewer } from '../session/session.tsx';
import { NoOrganization } from './no-organization.tsx';
import { Workspace } from './workspace.tsx';
import './home.css';

export function Home() {
  const { organization } = useViewer();
  return organization ? <Workspace name={organization.name} /> : <NoOrganization />;
}
