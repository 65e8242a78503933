import type { Translation } from '../catalogue.ts';
import type { frame as english } from '../en/frame.ts';

export const frame = {
  skipToContent: 'Zum Inhalt springen',
  menu: 'Menü',
  main: 'Hauptnavigation',
  accountMenu: '– Kontomenü',
  settings: 'Einstellungen',
  lightTheme: 'Helles Design',
  darkTheme: 'Dunkles Design',
  showCode: 'Diese Seite als GraphQL und curl zeigen',
  signOut: 'Abmelden',
  noOrganization: 'Keine Organisation',
  organization: 'Organisation',
  chooseOrganization: 'Organisation auswählen',
  addedYou: '{name} (hat Sie hinzugefügt, nicht angenommen)',
  home: 'Start',
  assistants: 'Assistenten',
  sponsorship: 'Sponsoring',
  vault: 'Vault',
  developers: 'Entwicklung',
  pageNotFound: 'Seite nicht gefunden',
  noSuchAddress: 'Diese Adresse gibt es nicht',
  goHome: 'Zur Startseite',
  addressHint: 'Die Adresse enthält vielleicht einen Tippfehler, oder die Seite wurde gelöscht.',
  goTo: 'Gehe zu …',
  controlK: 'Strg K',
} as const satisfies Translation<typeof english>;
