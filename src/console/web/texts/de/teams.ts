import type { Translation } from '../catalogue.ts';
import type { teams as english } from '../en/teams.ts';

export const teams = {
  teams: 'Teams',
  memberCount: '{memberCount, plural, one {Ein Mitglied} other {# Mitglieder}}',
  members: 'Mitglieder',
  addMember: 'Mitglied nach Name oder Adresse hinzufügen',
  matchingMembers: 'Passende Mitglieder',
  noMatching:
    'Keine passenden Mitglieder. Laden Sie Personen, die noch keine Mitglieder sind, zuerst ein.',
  inTeam: 'Im Team',
  wasAdded: '{person} wurde zum Team hinzugefügt',
  add: 'Hinzufügen',
  membersOf: 'Mitglieder von {name}',
  noMembers: 'Noch keine Mitglieder',
  name: 'Name',
  address: 'Adresse',
  actions: 'Aktionen',
  wasRemoved: '{person} wurde aus „{name}“ entfernt',
  remove: 'Entfernen',
  renamed: 'Das Team wurde umbenannt',
  teamName: 'Name des Teams',
  renameTeam: 'Team umbenennen',
  rename: 'Umbenennen',
  deleted: 'Das Team „{name}“ wurde gelöscht',
  deleteTeam: 'Team löschen',
  deleteHint:
    'Seine Mitglieder bleiben in der Organisation. Sie verlieren den Zugriff auf Assistenten, die für das Team freigegeben sind.',
  deleteQuestion: '„{name}“ löschen?',
  cannotBeUndone: 'Das kann nicht rückgängig gemacht werden.',
  delete: 'Löschen',
  teamsLead:
    'Assistenten können für ein Team freigegeben werden. Neue Mitglieder kommen automatisch in das Standardteam.',
  team: 'Team',
  default: 'Standard',
  createTeam: 'Team erstellen',
  create: 'Erstellen',
} as const satisfies Translation<typeof english>;
