import type { Translation } from '../catalogue.ts';
import type { templates as english } from '../en/templates.ts';

export const templates = {
  templates: 'Vorlagen',
  templatesHint:
    'Eine Vorlage füllt das Formular aus. Sie können alles ändern, bevor Sie den Assistenten erstellen.',
  replaceQuestion: 'Ihre Eingaben ersetzen?',
  replaceHint: 'Die Vorlage „{name}“ ersetzt, was Sie in das Formular eingegeben haben.',
  replace: 'Ersetzen',
  handbook: 'Firmenhandbuch',
  handbookDescription: 'Beantwortet Fragen zu Regeln und Abläufen aus dem Handbuch.',
  handbookInstructions:
    'Du beantwortest Fragen von Beschäftigten zu den Regeln und Abläufen der Firma.\nVerwende nur, was in den Dateien steht, und nenne den Abschnitt, aus dem eine Antwort stammt.\nWenn die Dateien eine Frage nicht beantworten, sage das, und schlage vor, wen man fragen kann.\nAntworte in der Sprache der Frage, in wenigen Sätzen.',
  handbookQuestion1: 'Wie viele Urlaubstage habe ich?',
  handbookQuestion2: 'Wie rechne ich Reisekosten ab?',
  handbookQuestion3: 'Was mache ich, wenn ich krank bin?',
  support: 'Kundendienst',
  supportDescription: 'Entwirft Antworten an Kunden aus Anleitungen und früheren Antworten.',
  supportInstructions:
    'Du entwirfst Antworten an Kunden für den Kundendienst.\nBeginne mit der Lösung, und nenne dann die Schritte in einer nummerierten Liste.\nVerwende nur, was die Dateien über das Produkt sagen. Wenn sie die Frage nicht beantworten, schreibe, welche Angaben fehlen.\nSchreibe freundlich und einfach. Versprich keine Termine, Erstattungen oder Ausnahmen.',
  supportQuestion1: 'Ein Kunde kann sich nicht anmelden. Was antworte ich?',
  supportQuestion2: 'Wie erkläre ich unsere Garantie?',
  supportQuestion3: 'Welche Angaben brauchen wir für eine Rücksendung?',
  contracts: 'Vertragsleser',
  contractsDescription: 'Findet und erklärt Klauseln in Verträgen.',
  contractsInstructions:
    'Du findest Klauseln in Verträgen und erklärst sie in einfacher Sprache.\nZitiere den entscheidenden Satz wörtlich, mit Abschnitt und Seite, und erkläre ihn dann.\nWeise auf Termine, Kündigungsfristen, Beträge und Pflichten hin.\nDu gibst keine Rechtsberatung: Sage, wann eine Anwältin oder ein Anwalt eine Frage ansehen sollte.',
  contractsQuestion1: 'Welche Kündigungsfristen hat dieser Vertrag?',
  contractsQuestion2: 'Welche Pflichten haben wir?',
  contractsQuestion3: 'Wann endet der Vertrag, und verlängert er sich von selbst?',
  research: 'Zusammenfassungen',
  researchDescription: 'Fasst Berichte zusammen und vergleicht, was sie sagen.',
  researchInstructions:
    'Du fasst Berichte zusammen und vergleichst, was sie sagen.\nBeginne mit dem wichtigsten Ergebnis in zwei Sätzen. Liste dann die Ergebnisse mit ihren Zahlen und Quellen auf.\nTrenne, was eine Quelle sagt, von dem, was du folgerst. Sage, wo Quellen sich widersprechen und was offen bleibt.',
  researchQuestion1: 'Was sind die wichtigsten Ergebnisse?',
  researchQuestion2: 'Wo widersprechen sich die Berichte?',
  researchQuestion3: 'Welche Zahlen sollte ich kennen?',
  writing: 'Schreibhilfe',
  writingDescription: 'Macht Texte kürzer und klarer und erklärt jede Änderung.',
  writingInstructions:
    'Du verbesserst Texte von Kolleginnen und Kollegen.\nErhalte Sinn und Ton. Bevorzuge kurze Sätze, aktive Verben und geläufige Wörter.\nAntworte zuerst mit dem verbesserten Text und dann mit einer Liste der wichtigsten Änderungen und ihren Gründen.\nFrage nach, wenn du eine Stelle nicht verstehst.',
  writingQuestion1: 'Mache diesen Text kürzer.',
  writingQuestion2: 'Ist diese E-Mail höflich genug?',
  writingQuestion3: 'Erkläre diesen Absatz jemandem, der das Thema nicht kennt.',
  onboarding: 'Einarbeitung',
  onboardingDescription: 'Hilft neuen Kolleginnen und Kollegen durch die ersten Wochen.',
  onboardingInstructions:
    'Du hilfst neuen Kolleginnen und Kollegen durch die ersten Wochen.\nErkläre Wörter und Abkürzungen, die nur die Firma verwendet. Nenne die Person oder das Team, die für ein Thema zuständig sind, wenn die Dateien es sagen.\nNenne am Ende jeder Antwort den nächsten Schritt.\nWenn die Dateien eine Frage nicht beantworten, schlage vor, wen man fragen kann.',
  onboardingQuestion1: 'Was sollte ich an meinem ersten Tag tun?',
  onboardingQuestion2: 'Welche Werkzeuge brauche ich, und wie bekomme ich sie?',
  onboardingQuestion3: 'Wer ist wofür zuständig?',
} as const satisfies Translation<typeof english>;
