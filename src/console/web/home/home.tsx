import { useViewer } from '../session/session.tsx';
import './home.css';
import { NoOrganization } from './no-organization.tsx';
import { Workspace } from './workspace.tsx';

export function Home() {
  const { organization } = useViewer();
  return organization ? <Workspace name={organization.name} /> : <NoOrganization />;
}
