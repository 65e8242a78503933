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
} as const satisfies Translation<typeof english>;
