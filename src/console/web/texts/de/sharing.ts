import type { Translation } from '../catalogue.ts';
import type { sharing as english } from '../en/sharing.ts';

export const sharing = {
  changedFor: 'Geändert für {name}',
  noLongerShared: 'Nicht mehr freigegeben für {name}',
  sharing: 'Freigabe',
  accessCaption: 'Personen und Teams mit Zugriff',
  with: 'Für',
  level: 'Stufe',
  levelFor: 'Stufe für {name}',
  since: 'Seit',
  remove: 'Entfernen',
  stopQuestion: 'Freigabe für {name} beenden?',
  stopHint:
    'Die Personen verlieren sofort den Zugriff auf den Assistenten. Antworten, die sie schon haben, werden nicht gelöscht.',
  stopSharing: 'Freigabe beenden',
  teamName: 'Team {name}',
  everybodyInOrganization: 'Alle in der Organisation',
  person: 'Eine Person',
  team: 'Ein Team',
  everybody: 'Alle',
  shared: 'Freigegeben',
  noSuchPerson:
    'Niemand in der Organisation hat die Adresse {email}. Prüfen Sie sie, oder bitten Sie einen Administrator um eine Einladung.',
  shareWithOthers: 'Für andere freigeben',
  emailAddress: 'E-Mail-Adresse',
  teamField: 'Team',
  share: 'Freigeben',
} as const satisfies Translation<typeof english>;
