export const settings = {
  profile: 'Profile',
  security: 'Security',
  myKeys: 'My keys',
  organization: 'Organization',
  organizationKeys: 'Organization keys',
  members: 'Members',
  teams: 'Teams',
  usage: 'Usage',
  auditLog: 'Audit log',
  webhooks: 'Webhooks',
  settings: 'Settings',
} as const;
