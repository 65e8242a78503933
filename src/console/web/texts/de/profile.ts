import type { Translation } from '../catalogue.ts';
import type { profile as english } from '../en/profile.ts';

export const profile = {
  profile: 'Profil',
  profileLead: 'Organisationen, die Sie angenommen haben, sehen Ihren Namen und Ihre Adresse.',
  nameSaved: 'Ihr Name wurde gespeichert',
  yourName: 'Ihr Name',
  save: 'Speichern',
  firstName: 'Vorname',
  lastName: 'Nachname',
  emailAddress: 'E-Mail-Adresse',
  emailHint: 'Mit dieser Adresse melden Sie sich an.',
  yourOrganizations: 'Ihre Organisationen',
  noOrganization:
    'Sie sind noch in keiner Organisation. Ein Administrator kann Sie einladen, oder ein gesponserter Link erstellt eine für Sie.',
  asAdministrator: 'als Administrator',
  asMember: 'als Mitglied',
  addedYou: 'Hat Sie hinzugefügt, nicht angenommen',
  leave: 'Verlassen',
  leaveQuestion: '{name} verlassen?',
  leaveHint:
    'Sie verlieren den Zugriff auf alles in dieser Organisation, und Ihre Schlüssel dafür funktionieren nicht mehr. Nur ein Administrator der Organisation kann Sie zurückholen.',
  leaveKeysHint:
    'Die Organisationsschlüssel, für die Sie verantwortlich sind, werden widerrufen, und Programme damit funktionieren nicht mehr.',
  youLeft: 'Sie haben {name} verlassen',
  yourData: 'Ihre Daten',
  yourDataHint:
    'Eine Datei mit Ihrem Konto, Ihren Organisationen, Teams und Schlüsseln, Ihren Sitzungen und Ihren Änderungen. Sie enthält keine Geheimnisse.',
  exportData: 'Daten exportieren',
  deleteYourAccount: 'Ihr Konto löschen',
  deleteHint:
    'Sie verlieren sofort den Zugriff auf jede Organisation, und Ihre Schlüssel funktionieren nicht mehr. Das kann nicht rückgängig gemacht werden.',
  deleteAccount: 'Konto löschen',
  deleteQuestion: 'Ihr Konto löschen?',
  deleteKeeps:
    'Organisationen behalten die Inhalte, die Sie erstellt haben, und ihre Audit-Logs behalten Ihre Aktionen ohne Ihren Namen. Ein Partner, der einen Arbeitsbereich für Sie gesponsert hat, behält Ihre Adresse für die Abrechnung.',
  typeToConfirm: 'Zur Bestätigung {email} eingeben',
} as const satisfies Translation<typeof english>;
