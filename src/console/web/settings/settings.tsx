import type { ComponentType } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../frame/not-found.tsx';
import { useViewer } from '../session/session.tsx';
import type { PlainKey } from '../texts/catalogue.ts';
import { SectionPages } from '../ui/section-pages.tsx';
import { AuditLog } from './audit/audit-log.tsx';
import { MyKeys, OrganizationKeys } from './keys/keys.tsx';
import { Members } from './members/members.tsx';
import { OrganizationPage } from './organization/organization-page.tsx';
import { Profile } from './profile/profile.tsx';
import { Security } from './security.tsx';
import { TeamPage } from './teams/team-page.tsx';
import { Teams } from './teams/teams.tsx';
import { UsagePage } from './usage/usage-page.tsx';
import { WebhookPage } from './webhooks/webhook-page.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';
import './settings.css';
import { t, withTexts } from '../texts/text.ts';

type SettingsPage = { href: string; label: PlainKey; page: ComponentType };

const personalPages: SettingsPage[] = [
  { href: '/', label: 'settings.profile', page: Profile },
  { href: '/security', label: 'settings.security', page: Security },
];
const memberPages: SettingsPage[] = [{ href: '/keys', label: 'settings.myKeys', page: MyKeys }];
const administratorPages: SettingsPage[] = [
  { href: '/organization', label: 'settings.organization', page: OrganizationPage },
  { href: '/organization-keys', label: 'settings.organizationKeys', page: OrganizationKeys },
  { href: '/members', label: 'settings.members', page: Members },
  { href: '/teams', label: 'settings.teams', page: Teams },
  { href: '/usage', label: 'settings.usage', page: UsagePage },
  { href: '/audit', label: 'settings.auditLog', page: AuditLog },
];
const eventPages: SettingsPage[] = [
  { href: '/webhooks', label: 'settings.webhooks', page: Webhooks },
];

/** The settings of the person and, for administrators, of the organization. */
export function Settings() {
  const { isAdmin, organization, features } = useViewer();
  const hasEvents = organization && isAdmin && features.includes('EVENTS');
  const ownPages = [...personalPages, ...(organization ? memberPages : [])];
  const organizationPages = [
    ...(organization && isAdmin ? administratorPages : []),
    ...(hasEvents ? eventPages : []),
  ];
  const pages = [...ownPages, ...organizationPages];
  return (
    <>
      <SectionPages
        label={t('settings.settings')}
        groups={[
          { pages: withTexts(ownPages) },
          ...(organizationPages.length > 0
            ? [{ title: organization?.name, pages: withTexts(organizationPages) }]
            : []),
        ]}
      />
      <Switch>
        {pages.map(({ href, page }) => (
          <Route key={href} path={href} component={page} />
        ))}
        {organization && isAdmin && (
          <Route path="/teams/:teamId">
            {({ teamId }) => <TeamPage key={teamId} teamId={teamId} />}
          </Route>
        )}
        {hasEvents && (
          <Route path="/webhooks/:endpointId">
            {({ endpointId }) => <WebhookPage key={endpointId} endpointId={endpointId} />}
          </Route>
        )}
        <Route component={NotFound} />
      </Switch>
    </>
  );
}
