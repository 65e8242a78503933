import type { Translation } from '../catalogue.ts';
import type { branding as english } from '../en/branding.ts';

export const branding = {
  branding: 'Link-Seite',
  lead: 'Ihr Name, Ihre Farbe und Ihr Logo auf der Seite, die man sieht, wenn man einen Ihrer Links öffnet.',
  settings: 'Was man sieht',
  displayName: 'Anzeigename',
  displayNameHint: 'Ist er leer, sieht man {organizationName}.',
  sentence: 'Satz',
  ownColor: 'Eigene Akzentfarbe',
  ownColorHint: 'Der Text darauf ist schwarz oder weiß, damit jede Farbe lesbar ist.',
  accentColor: 'Akzentfarbe',
  logo: 'Logo',
  logoHint: 'PNG, JPEG oder WebP, höchstens 200 kB, 4.000 Pixel breit und hoch. Es steht auf Weiß.',
  logoFile: 'Datei des Logos',
  chooseLogo: 'Logo auswählen',
  removeLogo: 'Logo entfernen',
  save: 'Speichern',
  saved: 'Die Link-Seite wurde gespeichert',
  preview: 'Vorschau',
  exampleCampaign: 'Name der Kampagne',
  wrongType: 'Das Logo muss ein Bild im Format PNG, JPEG oder WebP sein.',
  tooLarge: 'Das Logo darf höchstens 200 kB haben.',
} as const satisfies Translation<typeof english>;
