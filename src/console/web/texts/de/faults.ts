import type { Translation } from '../catalogue.ts';
import type { faults as english } from '../en/faults.ts';

export const faults = {
  accountExists:
    'Es gibt bereits ein Konto mit dieser E-Mail-Adresse. Melden Sie sich an, oder wählen Sie ein neues Passwort',
  alreadyMember: 'Sie sind bereits Mitglied dieser Organisation',
  alreadyRedeemed: 'Sie haben dieses Angebot bereits genutzt',
  assistantNotAvailable: 'Der Assistent ist nicht verfügbar',
  busy: 'Gerade melden sich zu viele Personen an. Versuchen Sie es in einigen Sekunden erneut',
  tooManyBytes:
    'Die Datei passt nicht mehr in das Kontingent Ihrer Organisation. Löschen Sie Dateien, oder bitten Sie den Plattform-Support um mehr',
  campaignExhausted: 'Das Angebot ist aufgebraucht',
  campaignExpired: 'Das Angebot ist beendet',
  campaignInactive: 'Das Angebot ist pausiert',
  codeWrong: 'Dieser Code ist falsch oder wurde bereits verwendet. Nehmen Sie den nächsten',
  conversationsNotKept: 'Ihre Organisation bewahrt keine Unterhaltungen auf',
  emailDiffers: 'Das ist nicht die Adresse Ihres Kontos',
  emailNotAllowed: 'Das Angebot gilt nicht für diese E-Mail-Adresse',
  emailNotVerified: 'Die E-Mail-Adresse ist noch nicht bestätigt',
  tooManyFiles:
    'Ihre Organisation hat so viele Dateien, wie sie haben darf. Löschen Sie Dateien, oder bitten Sie den Plattform-Support um mehr',
  invitationExpired: 'Die Einladung ist abgelaufen',
  invitationForAnother: 'Die Einladung ist für eine andere E-Mail-Adresse',
  invitationRevoked: 'Die Einladung wurde widerrufen',
  invitationUsed: 'Die Einladung wurde bereits verwendet',
  lastAdministrator:
    'Das ist der letzte Administrator der Organisation. Machen Sie zuerst eine andere Person zum Administrator',
  linkInactive: 'Der Link ist pausiert',
  linkNotValid: 'Der Link wurde bereits verwendet, ist abgelaufen oder unvollständig',
  noHostName:
    'Passkeys brauchen einen Hostnamen: Öffnen Sie Atrium unter seinem Namen statt unter der Netzwerkadresse',
  noMailForProof:
    'Dieser Server kann keine E-Mails senden und Ihre Adresse daher nicht bestätigen. Bitten Sie Ihre Administration um Hilfe',
  noPassword: 'Das Konto hat kein Passwort',
  noSecondFactor: 'Sie haben selbst noch keinen zweiten Faktor. Richten Sie ihn zuerst ein',
  passkeyWrong: 'Der Passkey konnte nicht geprüft werden. Versuchen Sie es erneut',
  passwordEasyToGuess: 'Dieses Passwort ist leicht zu erraten. Nehmen Sie einige eigene Wörter',
  passwordRequired: 'Der Link braucht sein Passwort',
  passwordWrong: 'Das Passwort ist falsch',
  tooManyRuns:
    'Ihre Organisation hat gerade zu viele Ausführungen. Warten Sie, bis einige beendet sind, und versuchen Sie es erneut',
  secondFactorRequired:
    'Die Organisation verlangt einen zweiten Faktor. Richten Sie ihn in Ihren Einstellungen unter „Sicherheit“ ein',
  signInExpired: 'Die Anmeldung hat zu lange gedauert oder ist beendet. Melden Sie sich erneut an',
  signUpClosed: 'Sie brauchen eine Einladung, um hier ein Konto zu erstellen',
  tooManyUploads:
    'Ihre Organisation lädt gerade zu viele Dateien hoch. Warten Sie, bis einige fertig sind, und versuchen Sie es erneut',
  budgetExhausted: 'Ein Budget ist aufgebraucht. Ein Administrator kann es erhöhen',
  concurrencyLimit:
    'Ihre Organisation führt gerade zu viel gleichzeitig aus. Versuchen Sie es in Kürze erneut',
  featureDisabled: 'Diese Funktion ist für Ihre Organisation nicht freigeschaltet',
  internal: 'Etwas ist schiefgegangen. Versuchen Sie es erneut',
  notFound: 'Das gibt es nicht, oder Sie haben keinen Zugriff darauf',
  outputInvalid: 'Das Modell hat keine gültige Antwort gegeben',
  payloadTooLarge: 'Das ist zu groß',
  preconditionFailed: 'Inzwischen hat sich etwas geändert. Laden Sie die Seite neu',
  providerFailed: 'Der Anbieter des Modells hat einen Fehler gemeldet. Versuchen Sie es erneut',
  providerLate:
    'Der Anbieter des Modells hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut',
  quotaExceeded: 'Ein Kontingent Ihrer Organisation ist aufgebraucht',
  rateLimited: 'Zu viele Anfragen. Versuchen Sie es in Kürze erneut',
  runExpired: 'Die Ausführung konnte nicht rechtzeitig stattfinden. Versuchen Sie es erneut',
  runInterrupted: 'Die Ausführung wurde unterbrochen. Versuchen Sie es erneut',
  seatLimitReached: 'Die Organisation hat keinen freien Platz',
  storageFull: 'Der Speicher ist voll',
  wrongCredentials: 'E-Mail-Adresse oder Passwort ist falsch',
  unavailable: 'Atrium ist vorübergehend nicht verfügbar. Versuchen Sie es in Kürze erneut',
  fieldEmail: 'Das ist keine E-Mail-Adresse.',
  fieldPassword:
    'Ein Passwort hat 10 bis 128 Zeichen und ist nicht leicht zu erraten: Einige eigene Wörter sind besser als ein Wort, Ihr Name oder eine Ziffernfolge.',
  fieldFirstName: 'Ein Vorname hat 1 bis 200 Zeichen und enthält keine Adresse einer Website.',
  fieldLastName: 'Ein Nachname hat höchstens 200 Zeichen und enthält keine Adresse einer Website.',
  badInput: 'Eine Angabe ist nicht gültig',
  conflict: 'Das passt nicht zu dem, was es bereits gibt',
  cursorExpired: 'Die Ereignisse werden nicht mehr aufbewahrt',
  documentNotTrusted: 'Diese Seite ist veraltet. Laden Sie sie neu',
  requestRefused: 'Die Anfrage wurde nicht angenommen. Laden Sie die Seite neu',
  forbidden: 'Das dürfen Sie nicht',
  headersTooLarge: 'Die Anfrage hat zu große Kopfzeilen. Löschen Sie die Cookies dieser Seite',
  requestTimeout: 'Die Anfrage kam nicht rechtzeitig an. Versuchen Sie es erneut',
  runCancelled: 'Die Ausführung wurde abgebrochen',
  stillRunning: 'Die Anfrage läuft noch. Versuchen Sie es in einer Sekunde erneut',
  unauthenticated: 'Sie sind nicht angemeldet',
  unreadableDocument: 'Das Dokument kann nicht gelesen werden',
  signInNotRecent:
    'Bestätigen Sie, dass Sie es sind: Geben Sie Ihr Passwort ein, oder melden Sie sich neu an',
  accessEnded: 'Ihr Zugriff ist beendet',
  accessLevelTooLow: 'Ihr Zugriff auf den Assistenten reicht dafür nicht aus',
  administratorsOnly: 'Das dürfen nur Administratoren der Organisation',
  administratorKept: 'Ein Administrator kann so nicht entfernt oder zum Mitglied gemacht werden',
  alreadyInvited:
    'Diese Adresse ist bereits eingeladen. Erstellen Sie für die Einladung einen neuen Link, oder widerrufen Sie sie',
  alreadyInTeam: 'Die Person ist bereits im Team',
  answerNotComplete:
    'Die Antwort wird noch geschrieben. Versuchen Sie es erneut, wenn sie vollständig ist',
  assistantChanged: 'Jemand hat diesen Assistenten inzwischen geändert',
  conversationEmpty: 'Die Unterhaltung hat noch keine Nachrichten',
  conversationFull: 'Die Unterhaltung ist so lang, wie sie sein darf. Beginnen Sie eine neue',
  costWithoutPrices:
    'Ein Budget für Kosten braucht Preise der Modelle, und auf diesem Server sind keine eingestellt',
  defaultTeam: 'Das Standardteam kann nicht gelöscht werden',
  endBeforeBeginning: 'Das Ende muss nach dem Anfang liegen',
  entryNotSealed: 'Der Eintrag ist noch nicht versiegelt. Das geschieht in einigen Sekunden',
  expiryInPast: 'Das Ablaufdatum muss in der Zukunft liegen',
  fileNotReady: 'Die Datei wird noch verarbeitet, darum gibt es noch keinen Text',
  fileWithoutText: 'Von dieser Datei gibt es keinen Text, weil sie nicht verarbeitet werden konnte',
  foreignSite: 'Die Anfrage kommt möglicherweise von einer anderen Website',
  invitationSentOften:
    'Diese Adresse hat schon mehrere E-Mails erhalten. Geben Sie der Person stattdessen die Adresse des Links',
  invitationSentRecently:
    'Diese Einladung wurde vor weniger als einer Stunde gesendet. Versuchen Sie es später erneut',
  keyLimitTooHigh:
    'Das Limit ist höher, als es für diesen Schlüssel sein darf. Nur der Plattform-Support kann mehr erlauben',
  keyRevoked: 'Der Schlüssel ist widerrufen',
  lastOwner: 'Ein Assistent behält mindestens einen Besitzer',
  limitNotWhole: 'Das Limit muss eine ganze Zahl sein',
  limitTooPrecise: 'Das Limit hat zu viele Nachkommastellen',
  logoNotAnImage: 'Das Logo muss ein Bild im Format PNG, JPEG oder WebP sein',
  logoTooLarge: 'Das Logo ist zu groß',
  memberFieldHidden: 'Von anderen Mitgliedern sehen Sie nur Namen und Adresse',
  namesSetByOwner: 'Die Person hat ihre Namen selbst eingetragen, und nur sie kann sie ändern',
  notAMember: 'Sie sind nicht Mitglied der Organisation',
  peopleOnly: 'Das dürfen nur angemeldete Personen',
  platformSupportOnly: 'Das darf nur der Plattform-Support',
  reminderTooLate: 'Die Erinnerung muss vor dem Ende der Einladung kommen',
  replayInProgress: 'Für diesen Webhook werden gerade schon Ereignisse erneut gesendet',
  runNotCompleted: 'Nur eine abgeschlossene Ausführung hat eine Antwort und einen Beleg',
  runOfRequest: 'Diese Ausführung gehört zu einer Anfrage und endet mit ihr',
  sentFilesTooLong: 'Die angehängten Dateien haben zusammen zu viel Text',
  sentFileUnreadable: 'Die Datei kann nicht gelesen werden',
  setupLinkNotValid:
    'Dieser Link zur Einrichtung wurde verwendet, ist abgelaufen oder ist nicht der neueste',
  sponsorshipEnded:
    'Die Förderung dieser Organisation ist beendet, und ihre Assistenten antworten nicht mehr',
  sponsorshipEndTooEarly: 'Das neue Ende muss nach dem jetzigen Ende der Förderung liegen',
  sponsorshipEndTooLate: 'Die Förderung würde nach dem Jahr 9999 enden',
  teamNameTaken: 'Es gibt bereits ein Team mit diesem Namen',
  tooManyBudgets:
    'Ihre Organisation hat so viele Budgets, wie sie haben kann. Löschen Sie eines, das nicht mehr gebraucht wird',
  tooManyCodes:
    'Es wurden zu viele Codes versucht. Warten Sie mindestens 15 Minuten, oder verwenden Sie einen Passkey',
  tooManyFilesToCopy: 'Der Assistent hat zu viele Dateien. Duplizieren Sie ihn ohne seine Dateien',
  tooManyInvitations:
    'Ihre Organisation hat zu viele Einladungen gesendet. Versuchen Sie es später erneut, oder laden Sie weniger Personen ein',
  tooManyKeys:
    'Sie haben so viele aktive Schlüssel, wie Sie haben können. Widerrufen Sie einen, den Sie nicht mehr brauchen',
  tooManyNewKeys:
    'Sie haben in der letzten Stunde zu viele Schlüssel erstellt. Versuchen Sie es später erneut',
  tooManyPasskeys: 'Ihr Konto hat so viele Passkeys, wie es haben kann',
  tooManyRows:
    'Das ergibt zu viele Zeilen. Verkürzen Sie den Zeitraum, oder laden Sie die Daten als CSV',
  tooManyTriesForAccount:
    'Für dieses Konto gab es zu viele Versuche. Nehmen Sie einen Browser, der schon einmal angemeldet war, oder wählen Sie ein neues Passwort',
  tooManyWebhooks:
    'Ihre Organisation hat so viele Webhooks, wie sie haben kann. Löschen Sie einen, der nicht mehr gebraucht wird',
  unknownModel: 'Dieses Modell gibt es hier nicht',
  userIsMember: 'Die Person ist bereits Mitglied der Organisation',
  webhookDisabled:
    'Der Webhook ist ausgeschaltet. Beheben Sie den Fehler des Empfängers, und schalten Sie ihn wieder ein',
  webhookUrlRefused: 'An diese URL kann nichts gesendet werden',
  valueInvalid: '{field}: Die Angabe ist nicht gültig',
  valueCharacters: '{field}: Die Angabe enthält Zeichen, die nicht erlaubt sind',
  valueFormat: '{field}: Die Angabe hat nicht die nötige Form',
  valueRange: '{field}: Der Wert ist zu klein oder zu groß',
  valueRepeated: '{field}: Ein Wert ist mehrfach angegeben',
  valueRequired: '{field}: Die Angabe fehlt',
  valueTooLong: '{field}: Die Angabe ist zu lang',
  valueTooShort: '{field}: Die Angabe ist zu kurz',
  valueUnknown: '{field}: Diesen Wert gibt es hier nicht',
  fileDamaged: 'Die Datei ist beschädigt oder unvollständig',
  fileEmpty: 'Die Datei enthält keinen Text',
  fileEncrypted: 'Die Datei ist mit einem Passwort geschützt',
  fileLost: 'Die gespeicherte Datei ist nicht mehr da. Laden Sie sie erneut hoch',
  fileOutOfMemory: 'Die Datei braucht beim Lesen zu viel Speicher',
  fileFailed: 'Die Datei konnte nicht verarbeitet werden',
  fileOverQuota:
    'Die Datei hat mehr Textstellen, als das Kontingent Ihrer Organisation noch zulässt',
  fileTooComplex: 'Die Datei ist entpackt zu groß',
  fileTextTooLarge: 'Die Datei hat zu viel Text',
  fileTooManyPassages: 'Die Datei hat zu viele Seiten oder Abschnitte',
  fileTooSlow: 'Das Lesen der Datei hat zu lange gedauert',
  fileUnsupported: 'Dateien dieser Art können nicht gelesen werden',
  noticeAttachments:
    'Einige Anhänge konnten nicht gelesen werden. Nur ihre Namen können gefunden werden.',
  noticeNotRecognized:
    'Der Text einiger Seiten oder Bilder wurde nicht erkannt. Wörter darin können nicht gefunden werden.',
  noticeRecognized: 'Der Text einiger Seiten oder Bilder wurde erkannt. Er kann Fehler enthalten.',
  noticeWithoutText:
    'Einige Seiten haben keinen Text. Wenn sie eingescannt sind, können ihre Wörter nicht gefunden werden.',
  noticeHiddenSheets: 'Ausgeblendete Tabellenblätter wurden nicht gelesen.',
  noticeFormulas:
    'Zu Formeln ist kein Ergebnis gespeichert: Öffnen Sie die Datei in einer Tabellenkalkulation, speichern Sie sie und laden Sie sie erneut hoch.',
  rateLimitedFor:
    'Zu viele Anfragen. Versuchen Sie es in {minutes, plural, one {# Minute} other {# Minuten}} erneut',
  budgetExhaustedUntil:
    'Ein Budget ist aufgebraucht. Fragen Sie nach dem {time} erneut, oder bitten Sie einen Administrator, es zu erhöhen',
  aValue: 'Eine Eingabe',
} as const satisfies Translation<typeof english>;
