import type { EmailTexts } from './en.ts';

export const emailTexts: EmailTexts = {
  ifNotRequested:
    'Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Es ändert sich nichts, solange niemand den Link öffnet.',
  ifNotYou:
    'Wenn Sie das nicht waren, wählen Sie sofort auf {forgotUrl} ein neues Passwort, und informieren Sie Ihren Administrator.',
  becauseAdministrator: 'Sie erhalten diese E-Mail, weil Sie die Organisation verwalten.',

  verificationSubject: 'Bestätigen Sie Ihre E-Mail-Adresse',
  verificationLead:
    'Jemand hat mit dieser Adresse auf {origin} ein Konto angelegt. Wenn Sie das waren, bestätigen Sie bitte die Adresse.',
  verificationAction: 'Adresse bestätigen',
  verificationNote:
    'Der Link funktioniert einmal und läuft nach einem Tag ab. Wenn Sie ihn in einem anderen Browser öffnen als dem, in dem Sie sich registriert haben, wählen Sie dort ein neues Passwort.',

  resetSubject: 'Wählen Sie ein neues Passwort',
  resetLead: 'Jemand hat für Ihr Konto auf {origin} ein neues Passwort angefordert.',
  resetAction: 'Neues Passwort wählen',
  resetNote: 'Der Link funktioniert einmal und läuft nach einer Stunde ab.',

  accountExistsSubject: 'Sie haben bereits ein Konto',
  accountExistsLead:
    'Jemand wollte sich auf {origin} mit dieser Adresse registrieren. Sie hat aber bereits ein Konto.',
  accountExistsHint:
    'Wenn Sie das waren, melden Sie sich wie bisher an, oder wählen Sie ein neues Passwort, falls Sie Ihres vergessen haben.',
  accountExistsAction: 'Anmelden',
  accountExistsNote:
    'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Ihr Konto ist unverändert.',

  passwordChangedSubject: 'Ihr Passwort wurde geändert',
  passwordChangedLead: 'Das Passwort Ihres Kontos auf {origin} wurde geändert.',
  passwordChangedNote:
    'Wenn Sie das nicht waren, wählen Sie sofort auf {forgotUrl} ein neues, und informieren Sie Ihren Administrator.',

  accountDeletedSubject: 'Ihr Konto wurde gelöscht',
  accountDeletedLead: 'Ihr Konto auf {origin} wurde gelöscht, mit seinen Sitzungen und Schlüsseln.',
  accountDeletedNote:
    'Wenn Sie das nicht waren, informieren Sie sofort den Administrator Ihrer Organisation.',

  aboutAccount: 'Es geht um Ihr Konto auf {origin}.',
  keyCreatedSubject: 'Ein neuer API-Schlüssel wurde erstellt',
  keyCreatedLead: 'Mit Ihrem Konto wurde ein API-Schlüssel erstellt, der auf {lastFour} endet.',
  roleChangedSubject: 'Ihre Rolle wurde geändert',
  roleChangedLead:
    'Sie sind jetzt {role, select, ADMIN {Administrator} other {Mitglied}} der Organisation {organizationName}.',
  providerLinkedSubject: 'Ein Anmeldedienst wurde mit Ihrem Konto verknüpft',
  providerLinkedLead: 'Ab jetzt können Sie sich mit diesem Dienst bei Ihrem Konto anmelden.',
  newDeviceSubject: 'Anmeldung mit einem neuen Gerät',
  newDeviceLead: 'Jemand hat sich mit einem neuen Browser bei Ihrem Konto angemeldet: {device}.',
  unknownDevice: 'ein unbekanntes Gerät',
  browserOnSystem: '{browser} unter {system}',
  secondFactorSubject: 'Ihr zweiter Faktor wurde geändert',
  authenticatorAppAdded: 'Für Ihr Konto wurde eine Authenticator-App eingerichtet.',
  authenticatorAppRemoved: 'Die Authenticator-App Ihres Kontos wurde entfernt.',
  passkeyAdded: 'Zu Ihrem Konto wurde ein Passkey hinzugefügt.',
  passkeyRemoved: 'Von Ihrem Konto wurde ein Passkey entfernt.',
  recoveryCodesRenewed: 'Die Wiederherstellungscodes Ihres Kontos wurden erneuert.',

  invitationSubject: 'Sie sind in einen Arbeitsbereich auf Atrium eingeladen',
  invitationLead: '{invitedBy} lädt Sie ein, {organizationName} auf Atrium beizutreten.',
  invitationLeadUnnamed: 'Die Verwaltung lädt Sie ein, {organizationName} auf Atrium beizutreten.',
  invitationAction: 'Einladung ansehen',
  invitationNote: 'Der Link funktioniert einmal, bis zum {expiresAt, date, long}.',
  invitationUnknown: 'Wenn Sie nicht wissen, wer Sie einlädt, brauchen Sie nichts zu unternehmen.',

  addedSubject: 'Sie wurden zu einer Organisation auf Atrium hinzugefügt',
  addedLead:
    'Die Verwaltung von {organizationName} hat Ihr Konto auf {origin} zur Organisation hinzugefügt.',
  addedHint:
    'Die Organisation sieht Ihre E-Mail-Adresse. Ihren Namen und Ihre letzte Anmeldung sieht sie erst, wenn Sie zustimmen.',
  addedAction: 'Zustimmen oder austreten',
  addedNote:
    'Das Öffnen des Links ändert nichts: Die Seite fragt Sie zuerst. Er funktioniert 30 Tage lang.',
  addedUnknown:
    'Wenn Sie die Organisation nicht kennen, treten Sie aus. Sie können auch jederzeit in Ihrem Profil austreten.',

  linkInvitationSubject: 'Einladung zu einem Arbeitsbereich auf Atrium',
  linkInvitationReminderSubject: 'Ihre Einladung zu Atrium endet bald',
  linkInvitationLead:
    '{sponsor} bezahlt für Sie einen Arbeitsbereich auf Atrium, für {months, plural, one {einen Monat} other {# Monate}}.',
  linkInvitationReminder: 'Sie können die Einladung noch annehmen, bis {until, date, long} (UTC).',
  linkInvitationAction: 'Angebot ansehen',
  linkInvitationOnce:
    'Die Einladung gilt nur für diese Adresse und einmal, bis {until, date, long} (UTC).',
  linkInvitationUnknown: 'Wenn Sie nicht wissen, wer Sie einlädt, müssen Sie nichts tun.',

  budgetUsedUpSubject: 'Ein Budget ist aufgebraucht',
  budgetWarnedSubject: '{percent, number} % eines Budgets sind verbraucht',
  budgetLead:
    'Das {period, select, DAY {tägliche } MONTH {monatliche } other {}}Budget für {metric, select, TOKENS {Tokens} COST {Kosten} other {Läufe}} {scope, select, ORGANIZATION {der Organisation} TEAM {eines Teams} USER {einer Person} KEY {eines API-Schlüssels} other {eines Assistenten}} in {organizationName} erlaubt {limit, number, amount}. Jetzt sind {used, number, amount} verbraucht.',
  budgetOnlyWarns: 'Das Budget warnt nur: Läufe werden weiter ausgeführt.',
  budgetWillRefuse: 'Sobald es aufgebraucht ist, werden Läufe, die dazu zählen, abgelehnt.',
  budgetRefusesUntil:
    'Läufe, die dazu zählen, werden bis {end, date, moment} abgelehnt, oder bis Sie die Grenze erhöhen.',
  budgetRefuses: 'Läufe, die dazu zählen, werden abgelehnt, bis Sie die Grenze erhöhen.',

  webhookActiveSubject: 'Ein Webhook funktioniert wieder',
  webhookFailingSubject: 'Ein Webhook schlägt fehl',
  webhookDisabledSubject: 'Ein Webhook wurde abgeschaltet',
  webhookLead: 'Es geht um den Webhook von {organizationName} zu {host}.',
  webhookActive: 'Ein Ereignis wurde zugestellt. Der Webhook ist also wieder aktiv.',
  webhookFailing:
    'Fünf Minuten lang konnte kein Ereignis zugestellt werden. Atrium versucht es mit jedem Ereignis zehnmal in etwa drei Tagen. Bei den Zustellungen des Endpunkts steht, warum die Versuche scheitern.',
  webhookGone:
    'Der Empfänger hat mit 410 geantwortet. Das heißt, dass er keine Ereignisse mehr möchte. Er erhält keine Ereignisse mehr. Aktivieren Sie ihn, sobald der Empfänger funktioniert, und wiederholen Sie die Ereignisse der Zwischenzeit.',
  webhookUnreachable:
    'Etwa drei Tage lang sind alle Versuche mit einem Ereignis gescheitert, und auch sonst wurde nichts zugestellt. Er erhält keine Ereignisse mehr. Aktivieren Sie ihn, sobald der Empfänger funktioniert, und wiederholen Sie die Ereignisse der Zwischenzeit.',
};
