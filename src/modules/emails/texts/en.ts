/** The texts of mails. `email-text.ts` formats them; names of people are quoted before. */
export const emailTexts = {
  ifNotRequested:
    'If you did not request this, you can ignore this mail. Nothing changes unless the link is opened.',
  ifNotYou:
    'If it was not you, choose a new password at once at {forgotUrl}, and tell your administrator.',
  becauseAdministrator: 'You get this mail because you are an administrator of the organization.',

  verificationSubject: 'Confirm your e-mail address',
  verificationLead:
    'Somebody used this address to create an account at {origin}. If that was you, please confirm the address.',
  verificationAction: 'Confirm the address',
  verificationNote:
    'The link works once and expires after a day. If you open it in a browser other than the one in which you signed up, you choose a new password there.',

  resetSubject: 'Choose a new password',
  resetLead: 'Somebody requested a new password for your account at {origin}.',
  resetAction: 'Choose a new password',
  resetNote: 'The link works once and expires after an hour.',

  accountExistsSubject: 'You already have an account',
  accountExistsLead:
    'Somebody tried to sign up at {origin} with this address, which already has an account.',
  accountExistsHint:
    'If that was you, sign in as before, or choose a new password if you have forgotten yours.',
  accountExistsAction: 'Sign in',
  accountExistsNote: 'If it was not you, you can ignore this mail. Your account has not changed.',

  passwordChangedSubject: 'Your password was changed',
  passwordChangedLead: 'The password of your account at {origin} was changed.',
  passwordChangedNote:
    'If it was not you, choose a new one at once at {forgotUrl}, and tell your administrator.',

  accountDeletedSubject: 'Your account was deleted',
  accountDeletedLead: 'Your account at {origin} was deleted, with its sessions and keys.',
  accountDeletedNote: 'If it was not you, tell the administrator of your organization at once.',

  aboutAccount: 'This is about your account at {origin}.',
  keyCreatedSubject: 'A new API key was created',
  keyCreatedLead: 'An API key that ends in {lastFour} was created with your account.',
  roleChangedSubject: 'Your role was changed',
  roleChangedLead:
    'You are now {role, select, ADMIN {an administrator} other {a member}} of the organization {organizationName}.',
  providerLinkedSubject: 'A sign-in provider was linked to your account',
  providerLinkedLead: 'From now on you can sign in to your account with this provider.',
  newDeviceSubject: 'A sign-in from a new device',
  newDeviceLead: 'Somebody signed in to your account with a new browser: {device}.',
  unknownDevice: 'An unknown device',
  browserOnSystem: '{browser} on {system}',
  secondFactorSubject: 'Your second factor was changed',
  authenticatorAppAdded: 'An authenticator app was set up for your account.',
  authenticatorAppRemoved: 'The authenticator app of your account was removed.',
  passkeyAdded: 'A passkey was added to your account.',
  passkeyRemoved: 'A passkey was removed from your account.',
  recoveryCodesRenewed: 'The recovery codes of your account were renewed.',

  invitationSubject: 'You are invited to a workspace on Atrium',
  invitationLead: '{invitedBy} invites you to join {organizationName} on Atrium.',
  invitationLeadUnnamed: 'An administrator invites you to join {organizationName} on Atrium.',
  invitationAction: 'See the invitation',
  invitationNote: 'The link works once, until {expiresAt, date, long}.',
  invitationUnknown: 'If you do not know who invites you, there is nothing to do.',

  addedSubject: 'You were added to an organization on Atrium',
  addedLead:
    'An administrator of {organizationName} added your account at {origin} to the organization.',
  addedHint:
    'The organization sees your e-mail address. It sees your name and when you last signed in only after you accept.',
  addedAction: 'Accept or leave',
  addedNote:
    'Opening the link changes nothing: the page that it opens asks you. It works for 30 days.',
  addedUnknown:
    'If you do not know the organization, leave it. You can also leave at any time in your profile.',

  linkInvitationSubject: 'You are invited to a workspace on Atrium',
  linkInvitationReminderSubject: 'Your invitation to Atrium ends soon',
  linkInvitationLead:
    '{sponsor} pays for a workspace on Atrium for you, for {months, plural, one {one month} other {# months}}.',
  linkInvitationReminder: 'You can still accept the invitation, until {until, date, long} (UTC).',
  linkInvitationAction: 'See the offer',
  linkInvitationOnce:
    'The invitation is for this address only and works once, until {until, date, long} (UTC).',
  linkInvitationUnknown: 'If you do not know who invites you, there is nothing to do.',

  budgetUsedUpSubject: 'A budget is used up',
  budgetWarnedSubject: '{percent, number} % of a budget are used',
  budgetLead:
    'The {period, select, DAY {daily } MONTH {monthly } other {}}budget of {metric, select, TOKENS {tokens} COST {cost} other {runs}} for {scope, select, ORGANIZATION {the organization} TEAM {a team} USER {a person} KEY {an API key} other {an assistant}} in {organizationName} allows {limit, number, amount}. Now {used, number, amount} are used.',
  budgetOnlyWarns: 'The budget only warns: runs continue.',
  budgetWillRefuse: 'Once it is used up, runs that count for it are refused.',
  budgetRefusesUntil:
    'Runs that count for it are refused until {end, date, moment}, or until you raise the limit.',
  budgetRefuses: 'Runs that count for it are refused until you raise the limit.',

  webhookActiveSubject: 'A webhook works again',
  webhookFailingSubject: 'A webhook is failing',
  webhookDisabledSubject: 'A webhook was disabled',
  webhookLead: 'This is about the webhook of {organizationName} to {host}.',
  webhookActive: 'An event was delivered, so the webhook is active again.',
  webhookFailing:
    'No event could be delivered for five minutes. Atrium tries each event ten times in about three days. The deliveries of the endpoint say why the tries fail.',
  webhookGone:
    'The receiver answered 410, which says that it wants no more events. It gets no events any more. Activate it once the receiver works, and replay the events of the time in between.',
  webhookUnreachable:
    'All tries of an event failed for about three days, and nothing else was delivered. It gets no events any more. Activate it once the receiver works, and replay the events of the time in between.',
} as const;

/** The texts of mails in another language, with exactly the keys of the English ones. */
export type EmailTexts = { readonly [Key in keyof typeof emailTexts]: string };
