import type { ComponentType } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../frame/not-found.tsx';
import { useViewer } from '../session/session.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { AuditLog } from './audit/audit-log.tsx';
import { MyKeys } from './keys/my-keys.tsx';
import { OrganizationKeys } from './keys/organization-keys.tsx';
import { Members } from './members/members.tsx';
import { OrganizationPage } from './organization/organization-page.tsx';
import { Profile } from './profile/profile.tsx';
import { Security } from './security.tsx';
import './settings.css';
import { TeamPage } from './teams/team-page.tsx';
import { Teams } from './teams/teams.tsx';

type Place = { href: string; label: string; page: ComponentType };

const ofEverybody: Place[] = [
  { href: '/', label: 'Profile', page: Profile },
  { href: '/security', label: 'Security', page: Security },
];
const ofMembers: Place[] = [{ href: '/keys', label: 'My keys', page: MyKeys }];
const ofAdministrators: Place[] = [
  { href: '/organization', label: 'Organization', page: OrganizationPage },
  { href: '/organization-keys', label: 'Organization keys', page: OrganizationKeys },
  { href: '/members', label: 'Members', page: Members },
  { href: '/teams', label: 'Teams', page: Teams },
  { href: '/audit', label: 'Audit log', page: AuditLog },
];

/** What somebody sets for themselves and, as an administrator, for the organization. */
export function Settings() {
  const { isAdmin, organization } = useViewer();
  const places = [
    ...ofEverybody,
    ...(organization ? ofMembers : []),
    ...(organization && isAdmin ? ofAdministrators : []),
  ];
  return (
    <>
      <Tabs label="Settings" items={places} />
      <Switch>
        {places.map(({ href, page }) => (
          <Route key={href} path={href} component={page} />
        ))}
        {organization && isAdmin && (
          <Route path="/teams/:teamId">
            {({ teamId }) => <TeamPage key={teamId} teamId={teamId} />}
          </Route>
        )}
        <Route component={NotFound} />
      </Switch>
    </>
  );
}
