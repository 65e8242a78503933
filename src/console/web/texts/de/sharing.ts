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
  shared: 'Freigegeben',
  noSuchPerson:
    'Niemand in der Organisation hat die Adresse {email}. Prüfen Sie sie, oder bitten Sie einen Administrator um eine Einladung.',
  shareWithOthers: 'Für andere freigeben',
  recipients: 'Person oder Team',
  recipientsHint:
    'Geben Sie {findsPeople, select, yes {den Namen einer Person oder eines Teams} other {den Namen eines Ihrer Teams}} ein, oder die E-Mail-Adresse eines Mitglieds.',
  byAddress: 'Mitglied mit dieser Adresse',
  chosen: 'Gewählte Personen und Teams',
  removeChosen: '{name} entfernen',
  refusedFor: '{name}: {reason}',
  share: 'Freigeben',
} as const satisfies Translation<typeof english>;
