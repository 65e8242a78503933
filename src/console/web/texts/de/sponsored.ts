import type { Translation } from '../catalogue.ts';
import type { sponsored as english } from '../en/sponsored.ts';

export const sponsored = {
  signInFirst: 'Melden Sie sich an, um Ihren neuen Arbeitsbereich zu erstellen.',
  createAccountFirst: 'Erstellen Sie zuerst ein Konto, dann Ihren neuen Arbeitsbereich.',
  account: 'Konto',
  newAccount: 'Neues Konto',
  existingAccount: 'Bestehendes Konto',
  lastStep:
    'Letzter Schritt: Benennen Sie Ihren neuen Arbeitsbereich. Sie werden dessen Administrator.',
  newWorkspace: 'Neuer Arbeitsbereich',
  createWorkspace: 'Arbeitsbereich erstellen',
  workspaceName: 'Name des Arbeitsbereichs',
  workspaceOf: 'Arbeitsbereich von {name}',
  workspaceNameHint: 'Zum Beispiel Ihre Firma oder Ihr Team. Sie können ihn später ändern.',
  signedInAs: 'Angemeldet als <b>{email}</b>',
  months: '{count, plural, one {ein Monat} other {{count} Monate}}',
  offerTitle:
    '{sponsorName} schenkt Ihnen {count, plural, one {einen Monat} other {{count} Monate}} Atrium',
  offer: 'Angebot',
  paidFor: 'Bezahlt für',
  members: 'Mitglieder',
  unlimited: 'unbegrenzt',
  upTo: 'bis zu {includedSeats}',
  until: 'Bis',
  ifYouStartToday: 'wenn Sie heute beginnen',
  noSuchLink: 'Diesen Link gibt es nicht',
  noSuchLinkHint:
    'Der Link ist vielleicht unvollständig. Kopieren Sie die ganze Adresse, oder bitten Sie um einen neuen Link.',
  invitationExpired: 'Diese Einladung ist abgelaufen',
  invitationRevoked: 'Diese Einladung wurde zurückgezogen',
  invitationUsed: 'Diese Einladung wurde schon verwendet',
  invitationEndedHint: 'Bitten Sie um eine neue, wo Sie eingeladen wurden.',
  linkPaused: 'Dieser Link ist pausiert',
  linkPausedHint:
    'Der Sponsor hat ihn pausiert, aber das Angebot hat vielleicht andere Links. Fragen Sie die Person, die Ihnen den Link gegeben hat.',
  offerPaused: 'Dieses Angebot ist pausiert',
  offerPausedHint:
    'Der Sponsor hat dieses Angebot pausiert. Fragen Sie die Person, die Ihnen den Link gegeben hat.',
  offerEnded: 'Dieses Angebot ist beendet',
  offerEndedHint:
    'Das Enddatum des Angebots ist vorbei. Fragen Sie die Person, die Ihnen den Link gegeben hat, ob es ein neues gibt.',
  offerUsedUp: 'Alle Plätze dieses Angebots sind vergeben',
  offerUsedUpHint:
    'Wenn Personen, die sich gerade anmelden, einige davon reserviert haben, kann innerhalb einer halben Stunde ein Platz frei werden. Versuchen Sie es dann noch einmal.',
  notForYourAddress: 'Dieses Angebot gilt nicht für Ihre E-Mail-Adresse',
  notForYourAddressHint:
    'Der Sponsor beschränkt es auf bestimmte Adressen. Wenn Sie eine andere Adresse haben, etwa die Ihrer Firma, verwenden Sie diese.',
  confirmAddressFirst: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse',
  confirmAddressFirstHint:
    'Der Sponsor beschränkt dieses Angebot auf bestimmte Adressen, daher müssen Sie Ihre bestätigen. Senden Sie die Bestätigungs-E-Mail, und öffnen Sie den Link darin.',
  goToAtrium: 'Zu Atrium',
  signInWithoutOffer: 'Ohne das Angebot anmelden',
  tryAgain: 'Erneut versuchen',
  stillUsedUp: 'Noch immer sind alle Plätze vergeben.',
  sendAgain: 'Erneut senden',
  sendConfirmation: 'Bestätigungs-E-Mail senden',
  confirmationSent:
    'Wir haben eine E-Mail an {email} gesendet. Ihr Link führt zu diesem Angebot zurück.',
  reservationExpired:
    'Ihre Reservierung ist abgelaufen. Atrium reserviert erneut, wenn Sie fortfahren.',
  reservationValid:
    'Ihre Reservierung gilt noch {minutes, plural, one {eine Minute} other {{minutes} Minuten}}.',
  cancelReservation: 'Reservierung stornieren',
  passwordNeeded:
    'Dieser Link braucht ein Passwort. Fragen Sie die Person danach, die Ihnen den Link gegeben hat.',
  openOffer: 'Angebot öffnen',
  continue: 'Weiter',
  linkPassword: 'Passwort des Links',
  checkPassword: '{message}. Prüfen Sie Groß- und Kleinschreibung und Leerzeichen.',
  welcomeTo: 'Willkommen bei {name}',
  workspacePaid:
    '{hasTitle, select, yes {Ihr Arbeitsbereich ist {name}.} other {Ihr Arbeitsbereich ist bereit.}} {sponsorName} bezahlt dafür bis <time></time>.',
  openWorkspace: '{name} öffnen',
  alreadyUsed: 'Sie haben dieses Angebot bereits genutzt',
  alreadyUsedHint:
    'Sie sind nicht mehr Mitglied des Arbeitsbereichs, den Sie damit erstellt haben. Jede Person kann das Angebot einmal nutzen.',
  useAnotherAccount: 'Anderes Konto verwenden',
} as const satisfies Translation<typeof english>;
