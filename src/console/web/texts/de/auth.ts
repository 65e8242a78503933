import type { Translation } from '../catalogue.ts';
import type { auth as english } from '../en/auth.ts';

export const auth = {
  firstName: 'Vorname',
  lastName: 'Nachname',
  emailAddress: 'E-Mail-Adresse',
  linkNoLongerWorks: 'Dieser Link funktioniert nicht mehr',
  linkUsedMeanwhile: 'Jemand hat ihn inzwischen verwendet. Wenn Sie es waren, melden Sie sich an.',
  signIn: 'Anmelden',
  chooseYourPassword: 'Passwort wählen',
  otherBrowser:
    'Dieser Link wurde in einem anderen Browser angefordert. Um <b>{email}</b> zu bestätigen, wählen Sie jetzt ein Passwort. Ein Passwort, das im anderen Browser gewählt wurde, gilt nicht.',
  confirmAndSignIn: 'Bestätigen und anmelden',
  newPassword: 'Neues Passwort',
  notRequested:
    'Wenn Sie kein Konto angefordert haben, schließen Sie diese Seite. Es wird nichts erstellt.',
  checkInbox: 'Sehen Sie in Ihrem Posteingang nach',
  useAnotherAddress: 'Andere Adresse verwenden',
  confirmationSent:
    'Wir haben einen Link an <b>{email}</b> geschickt. Er bestätigt Ihre Adresse, meldet Sie an und führt zu dieser Seite zurück. Er gilt einen Tag. Öffnen Sie ihn in diesem Browser; ein anderer Browser würde Sie nach einem neuen Passwort fragen.',
  noMailForSignUp:
    'Dieser Server kann keine E-Mails senden. Ihre E-Mail-Adresse kann daher nur eine andere Website bestätigen.',
  createAccount: 'Konto erstellen',
  confirmEmailAddress: 'E-Mail-Adresse bestätigen',
  passwordCorrect:
    'Ihr Passwort ist richtig. Bevor Sie sich anmelden können, öffnen Sie den Link, den wir an <b>{email}</b> geschickt haben. Öffnen Sie ihn in diesem Browser; ein anderer Browser würde Sie nach einem neuen Passwort fragen.',
  correctFields: 'Korrigieren Sie die markierten Felder.',
  forgotPassword: 'Passwort vergessen?',
  chooseNewPassword: 'Neues Passwort wählen',
  requestLink: 'Link anfordern',
  sendLink: 'Link senden',
  resetSent:
    'Wenn <b>{email}</b> ein Konto hat, haben wir einen Link geschickt, mit dem ein neues Passwort gewählt wird. Er funktioniert einmal und gilt eine Stunde.',
  resetHint: 'Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  noMailForReset:
    'Dieser Server kann keine E-Mails senden und Ihnen daher keinen Link schicken. Bitten Sie Ihre Administration um Hilfe.',
  backToSignIn: 'Zurück zur Anmeldung',
  invitationExpired: 'Diese Einladung ist abgelaufen',
  invitationExpiredHint:
    'Eine Einladung gilt sieben Tage. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
  invitationUsed: 'Diese Einladung wurde bereits verwendet',
  invitationUsedHint:
    'Jemand ist damit bereits beigetreten. Wenn Sie es waren, melden Sie sich an.',
  invitationRevoked: 'Diese Einladung wurde widerrufen',
  invitationRevokedHint:
    'Ein Administrator hat sie widerrufen. Wenn Sie das für einen Irrtum halten, fragen Sie die Person, die Sie eingeladen hat.',
  alreadyMember: 'Sie sind bereits Mitglied',
  alreadyMemberHint: 'Sie gehören zu dieser Organisation, es gibt also nichts mehr anzunehmen.',
  noSuchInvitation: 'Diese Einladung gibt es nicht',
  noSuchInvitationHint:
    'Der Link ist vielleicht unvollständig, oder ein neuerer Link hat ihn ersetzt. Suchen Sie die neueste E-Mail, oder bitten Sie um einen neuen Link.',
  joinOrganization: '{organizationName} beitreten',
  invitationLead:
    '{invitedBy} lädt <b>{email}</b> {role, select, ADMIN {als Administrator zu} other {zu}} {organizationName} ein. Die Einladung gilt bis <time></time>.',
  anAdministrator: 'Ein Administrator',
  createYourAccount: 'Konto erstellen',
  noPasswordYet:
    'Ein Administrator hat Ihr Konto erstellt, und es hat noch kein Passwort. Wählen Sie eines mit „Passwort vergessen?“, und öffnen Sie dann diesen Link noch einmal.',
  haveAccount: 'Haben Sie schon ein Konto?',
  noAccountYet: 'Noch kein Konto?',
  signInInstead: 'Stattdessen anmelden',
  acceptInvitation: 'Einladung annehmen',
  signedInAs: 'Sie sind als <b>{email}</b> angemeldet.',
  invitedOther:
    'Sie sind als <b>{signedInAs}</b> angemeldet, die Einladung ist aber für <b>{invited}</b>.',
  keepThisAccount: 'Dieses Konto behalten',
  useAnotherAccount: 'Anderes Konto verwenden',
  membershipAccepted: 'Sie haben die Mitgliedschaft angenommen',
  membershipAcceptedHint: 'Die Organisation sieht jetzt Ihren Namen und Ihre letzte Anmeldung.',
  membershipLeft: 'Sie haben die Organisation verlassen',
  membershipLeftHint: 'Sie hat keinen Zugriff mehr auf Ihr Konto.',
  membershipLinkDead:
    'Sie haben bereits angenommen oder die Organisation verlassen, oder der Link ist älter als 30 Tage. Ihr Profil zeigt Ihre Organisationen.',
  organizationAddedYou: '{organizationName} hat Sie hinzugefügt',
  addedLead:
    'Ein Administrator hat das Konto <b>{email}</b> zu dieser Organisation hinzugefügt. Die Organisation sieht jetzt diese Adresse. Ihren Namen und Ihre letzte Anmeldung sieht sie erst, wenn Sie annehmen.',
  leaveOrganization: 'Organisation verlassen',
  accept: 'Annehmen',
  goToAtrium: 'Zu Atrium',
  noPasskey:
    'Es wurde kein Passkey ausgewählt. Versuchen Sie es erneut, oder melden Sie sich auf andere Weise an.',
  signInWithPasskey: 'Mit einem Passkey anmelden',
  or: 'oder',
  continueWith: 'Weiter mit {name}',
  providerCancelled: 'Sie haben die Anmeldung abgebrochen.',
  providerNotLinked:
    'Es gibt bereits ein Konto mit dieser E-Mail-Adresse, und es ist nicht bestätigt, dass beide Ihnen gehören. Melden Sie sich mit Ihrem Passwort an, oder fordern Sie per E-Mail ein neues an. Danach können Sie sich auch auf diese Weise anmelden.',
  providerNotVerified:
    'Die andere Website hat Ihre E-Mail-Adresse nicht bestätigt, daher können Sie sich hier nicht damit anmelden. Bestätigen Sie die Adresse dort, oder melden Sie sich auf andere Weise an.',
  providerNoEmail:
    'Die andere Website hat Ihre E-Mail-Adresse nicht mitgeteilt. Erlauben Sie es dort, oder melden Sie sich auf andere Weise an.',
  providerTooLate:
    'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Versuchen Sie es erneut.',
  invitationNeeded:
    'Sie brauchen eine Einladung, um hier ein Konto zu erstellen. Bitten Sie Ihre Administration darum.',
  providerFailed:
    'Die Anmeldung mit der anderen Website ist fehlgeschlagen. Versuchen Sie es erneut.',
  mailSentAgain: 'Die E-Mail wurde erneut gesendet',
  sendAgain: 'Erneut senden',
  resetLinkDead:
    'Er wurde bereits verwendet, ist älter als eine Stunde oder unvollständig. Fordern Sie einen neuen an.',
  requestNewLink: 'Neuen Link anfordern',
  otherDevices: 'Alle anderen Browser und Geräte werden abgemeldet.',
  saveAndSignIn: 'Speichern und anmelden',
  revokeKeys: 'Alle meine API-Schlüssel widerrufen',
  revokeKeysHint: 'Jemand, der das alte Passwort kannte, hat vielleicht einen erstellt.',
  secondStep: 'Zweiter Schritt',
  enterAppCode: 'Code aus Ihrer App eingeben',
  enterRecoveryCode: 'Wiederherstellungscode eingeben',
  appCodeHint:
    'Öffnen Sie Ihre Authenticator-App, und geben Sie die sechs Ziffern ein, die sie für Atrium zeigt.',
  recoveryCodeHint: 'Jeder Ihrer Wiederherstellungscodes funktioniert einmal.',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  useApp: 'App verwenden',
  code: 'Code',
  recoveryCode: 'Wiederherstellungscode',
  signInAgain: 'Erneut anmelden',
  setUpAtrium: 'Atrium einrichten',
  setUpLead: 'Damit entstehen Ihre Organisation und Ihr Konto, das deren erster Administrator ist.',
  setUp: 'Einrichten',
  organization: 'Organisation',
  setUpEmailHint: 'Mit dieser Adresse melden Sie sich an.',
  linkDoesNotWork: 'Dieser Link funktioniert nicht',
  setUpLinkDead:
    'Der Link wurde bereits verwendet, ist älter als ein Tag, ist nicht der neueste oder unvollständig.',
  setUpLinkHint:
    'Solange es keine Organisation gibt, gibt jeder Start von Atrium einen neuen Link aus. Danach können sich ihre Administratoren anmelden.',
  organizationReady: 'Ihre Organisation ist bereit',
  organizationKeyLead:
    'Dies ist ein API-Schlüssel Ihrer Organisation, für Programme, die die API nutzen.',
  key: 'Schlüssel',
  tryIt: 'Probieren Sie es aus:',
  account: 'Konto',
  accountExists: 'Sie haben bereits ein Konto',
  accountExistsHint:
    'Dieser Link war für ein neues Konto. Ihr bestehendes Konto ist unverändert. Melden Sie sich an, oder wählen Sie ein neues Passwort, wenn Sie Ihres vergessen haben.',
  confirming: 'Ihre E-Mail-Adresse wird bestätigt',
  notConfirmed: 'Ihre Adresse ist noch nicht bestätigt',
  tryAgain: 'Erneut versuchen',
  addressConfirmed: 'Die Adresse ist bestätigt',
  staySignedIn: 'Sie bleiben in diesem Browser als {email} angemeldet.',
  signInWithOther: 'Mit dem anderen Konto anmelden',
  continue: 'Weiter',
  linkUsed: 'Dieser Link wurde bereits verwendet',
  nothingLeft: 'Sie sind angemeldet. Es ist nichts mehr zu tun.',
  verifyLinkDead:
    'Er wurde bereits verwendet, ist älter als ein Tag oder unvollständig. Wenn Sie ihn verwendet haben, melden Sie sich an. Fordern Sie sonst einen neuen an.',
  sendNewLink: 'Neuen Link senden',
  verifySent:
    'Wenn das Konto von <b>{email}</b> noch nicht bestätigt ist, haben wir einen neuen Link gesendet. Wenn Sie keine E-Mail erhalten, erstellen Sie das Konto noch einmal.',
  tooManyAddresses: 'Zu viele Adressen',
  tooManyAddressesHint:
    'Aus Ihrem Netzwerk wurden viele Adressen geöffnet, die es nicht gibt. Versuchen Sie es in einer Stunde erneut.',
} as const satisfies Translation<typeof english>;
