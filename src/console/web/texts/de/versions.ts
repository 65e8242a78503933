import type { Translation } from '../catalogue.ts';
import type { versions as english } from '../en/versions.ts';

export const versions = {
  changedMeanwhile: 'Jemand hat dies inzwischen geändert',
  conflictHint:
    '{author} hat am <time></time> Version {number} gespeichert, nachdem Sie die Einstellungen geöffnet hatten. Durchgestrichen ist, was nur die andere Version hat, und unterstrichen, was nur Ihre hat.',
  somebody: 'Jemand',
  takeTheirs: 'Andere übernehmen',
  keepMine: 'Meine behalten',
  compare: 'Vergleichen',
  versionInside: 'Version {number}',
  version: 'Version {number}',
  currentVersion: 'Version {version} (aktuell)',
  compareWith: 'Vergleichen mit',
  differenceHint:
    'Durchgestrichen ist, was nur Version {older} hat, und unterstrichen, was nur Version {newer} hat.',
  noDifference: 'Es gibt keinen Unterschied.',
  restored: 'Version {number} wurde wiederhergestellt',
  restore: 'Wiederherstellen',
  restoreQuestion: 'Version {number} wiederherstellen?',
  restoreHint:
    'Der Assistent bekommt den Namen, die Anweisungen und die Einstellungen von Version {number}, als neue Version. Seine Dateien und Freigaben bleiben, wie sie sind.',
  versionsHint:
    'Jede Änderung des Namens, der Anweisungen oder der Einstellungen ergibt eine Version. Die neuesten 100 werden aufbewahrt.',
  versionsCaption: 'Versionen des Assistenten',
  noVersions: 'Noch keine Versionen',
  noVersionsHint: 'Die nächste Änderung ergibt eine.',
  versionColumn: 'Version',
  current: 'Aktuell',
  restoredFrom: 'Wiederhergestellt aus Version {restoredNumber}',
  savedAt: 'Gespeichert',
  by: 'Von',
  actions: 'Aktionen',
  unknown: 'Unbekannt',
} as const satisfies Translation<typeof english>;
