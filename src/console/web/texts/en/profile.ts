export const profile = {
  profile: 'Profile',
  profileLead: 'Organizations that you accepted see your name and address.',
  nameSaved: 'Your name was saved',
  yourName: 'Your name',
  save: 'Save',
  firstName: 'First name',
  lastName: 'Last name',
  emailAddress: 'E-mail address',
  emailHint: 'You sign in with this address.',
  yourOrganizations: 'Your organizations',
  noOrganization:
    'You are not in an organization yet. An administrator can invite you, or a sponsored link creates one for you.',
  asAdministrator: 'as an administrator',
  asMember: 'as a member',
  addedYou: 'Added you, not accepted',
  leave: 'Leave',
  leaveQuestion: 'Leave {name}?',
  leaveHint:
    'You lose access to everything in this organization, and your keys for it stop working. Only an administrator of the organization can bring you back.',
  leaveKeysHint:
    'The organization keys that you are responsible for are revoked, and programs that use them stop working.',
  youLeft: 'You left {name}',
  yourData: 'Your data',
  yourDataHint:
    'A file with your account, your organizations, teams and keys, your sessions, and your changes. It contains no secrets.',
  exportData: 'Export data',
  deleteYourAccount: 'Delete your account',
  deleteHint:
    'You lose access to every organization immediately, and your keys stop working. This cannot be undone.',
  deleteAccount: 'Delete account',
  deleteQuestion: 'Delete your account?',
  deleteKeeps:
    'Organizations keep the content that you created, and their audit logs keep your actions without your name. A partner who sponsored a workspace for you keeps your address for billing.',
  typeToConfirm: 'Type {email} to confirm',
} as const;
