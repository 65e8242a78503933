import type { Translation } from '../catalogue.ts';
import type { settings as english } from '../en/settings.ts';

export const settings = {
  profile: 'Profil',
  security: 'Sicherheit',
  myKeys: 'Meine Schlüssel',
  organization: 'Organisation',
  organizationKeys: 'Organisationsschlüssel',
  members: 'Mitglieder',
  teams: 'Teams',
  usage: 'Verbrauch',
  auditLog: 'Audit-Log',
  webhooks: 'Webhooks',
  settings: 'Einstellungen',
} as const satisfies Translation<typeof english>;
