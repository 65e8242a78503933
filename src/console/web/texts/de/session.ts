import type { Translation } from '../catalogue.ts';
import type { session as english } from '../en/session.ts';

export const session = {
  confirmYourPassword: 'Passwort bestätigen',
  confirm: 'Bestätigen',
  signOut: 'Abmelden',
  signInTooOld:
    'Ihre Anmeldung liegt mehr als zehn Minuten zurück. Geben Sie Ihr Passwort ein, um fortzufahren. Wenn Sie kein Passwort haben, melden Sie sich ab und wieder an.',
  signInAgain: 'Erneut anmelden',
  signIn: 'Anmelden',
  signInAnotherWay: 'Auf andere Weise anmelden',
  sessionEnded: 'Ihre Sitzung ist beendet. Melden Sie sich an, um hier weiterzumachen.',
  emailAddress: 'E-Mail-Adresse',
  password: 'Passwort',
  capsLock: 'Die Feststelltaste ist aktiv.',
  lengthAtLeast: 'Mindestens {lengthMin} Zeichen. Ein Satz ist leicht zu merken.',
  lengthMissing: 'Noch {missing} Zeichen: Ein Passwort hat mindestens {lengthMin} Zeichen.',
  lengthAtMost: 'Ein Passwort hat höchstens {lengthMax} Zeichen.',
  lengthEnough: 'Lang genug. Einige eigene Wörter sind schwer zu erraten.',
  stillSignedIn:
    'Sie sind noch angemeldet, weil Atrium nicht erreichbar ist. Versuchen Sie es erneut.',
} as const satisfies Translation<typeof english>;
