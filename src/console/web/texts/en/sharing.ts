export const sharing = {
  changedFor: 'Changed for {name}',
  noLongerShared: 'No longer shared with {name}',
  sharing: 'Sharing',
  accessCaption: 'People and teams with access',
  with: 'With',
  level: 'Level',
  levelFor: 'Level for {name}',
  since: 'Since',
  remove: 'Remove',
  stopQuestion: 'Stop sharing with {name}?',
  stopHint:
    'They lose access to the assistant immediately. Answers that they already have are not deleted.',
  stopSharing: 'Stop sharing',
  teamName: 'Team {name}',
  everybodyInOrganization: 'Everybody in the organization',
  shared: 'Shared',
  noSuchPerson:
    'Nobody in the organization has the address {email}. Check it, or ask an administrator to invite them.',
  shareWithOthers: 'Share with others',
  recipients: 'Person or team',
  recipientsHint:
    'Type {findsPeople, select, yes {the name of a person or team} other {the name of one of your teams}}, or the e-mail address of a member.',
  byAddress: 'member with this address',
  chosen: 'Chosen people and teams',
  removeChosen: 'Remove {name}',
  refusedFor: '{name}: {reason}',
  share: 'Share',
} as const;
