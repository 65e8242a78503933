export const versions = {
  changedMeanwhile: 'Somebody changed this meanwhile',
  conflictHint:
    '{author} saved version {number} on <time></time>, after you had opened the settings. Crossed out is what only their version has, and underlined what only yours has.',
  somebody: 'Somebody',
  takeTheirs: 'Take theirs',
  keepMine: 'Keep mine',
  compare: 'Compare',
  versionInside: 'version {number}',
  version: 'Version {number}',
  currentVersion: 'Version {version} (current)',
  compareWith: 'Compare with',
  differenceHint:
    'Crossed out is what only version {older} has, and underlined what only version {newer} has.',
  noDifference: 'There is no difference.',
  restored: 'Version {number} was restored',
  restore: 'Restore',
  restoreQuestion: 'Restore version {number}?',
  restoreHint:
    'The assistant gets the name, the instructions and the settings of version {number}, as a new version. Its files and who it is shared with stay as they are.',
  versionsHint:
    'Each change of the name, the instructions or the settings makes a version. The newest 100 are kept.',
  versionsCaption: 'Versions of the assistant',
  noVersions: 'No versions yet',
  noVersionsHint: 'The next change makes one.',
  versionColumn: 'Version',
  current: 'Current',
  restoredFrom: 'Restored from version {restoredNumber}',
  savedAt: 'Saved',
  by: 'By',
  actions: 'Actions',
  unknown: 'Unknown',
} as const;
