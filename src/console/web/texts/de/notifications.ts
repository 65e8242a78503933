import type { Translation } from '../catalogue.ts';
import type { notifications as english } from '../en/notifications.ts';

export const notifications = {
  notifications: 'Mitteilungen',
  lead: 'Was in dieser Organisation für Sie geschehen ist. Mitteilungen werden 90 Tage lang aufbewahrt.',
  all: 'Alle Mitteilungen',
  markAllRead: 'Alle als gelesen markieren',
  allRead: 'Alle Mitteilungen sind als gelesen markiert',
  none: 'Keine Mitteilungen',
  noneHint:
    'Hier erfahren Sie, wenn etwas Ihre Aufmerksamkeit braucht. Die Arten wählen Sie in Ihrem Profil.',
  caption: 'Ihre Mitteilungen',
  what: 'Was geschehen ist',
  when: 'Wann',
  state: 'Zustand',
  unread: 'Ungelesen',
  read: 'Gelesen',
  about: '{what}: {name}',
  fileFailed: 'Eine Datei, die Sie hochgeladen haben, konnte nicht gelesen werden',
  runEnded: 'Eine lange Antwort für Sie ist beendet',
  assistantShared: 'Ein Assistent wurde für Sie freigegeben',
  feedbackShared: 'Jemand hat eine Antwort Ihres Assistenten mit einer Bewertung geteilt',
  budgetReached: '80 % oder alles von einem Budget ist verbraucht',
  webhookFailed: 'Ein Webhook schlägt fehl oder wurde abgeschaltet',
  keyExpires: 'Ein Schlüssel von Ihnen läuft bald ab',
  organizationKeyExpires:
    'Ein Organisationsschlüssel, für den Sie verantwortlich sind, läuft bald ab',
  invitationAccepted: 'Ihre Einladung wurde angenommen',
  redemptionEnds: 'Ein Sponsoring endet bald',
  redemptionEndsOn:
    'Das Sponsoring von „{name}“ {isOver, select, yes {endete} other {endet}} am {day}',
  kinds: 'Arten von Mitteilungen',
  kindsHint:
    'Die Glocke oben auf jeder Seite zeigt, was Sie hier wählen. Eine abgeschaltete Art wird für Sie in keiner Organisation gespeichert.',
} as const satisfies Translation<typeof english>;
