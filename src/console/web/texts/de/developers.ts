import type { Translation } from '../catalogue.ts';
import type { developers as english } from '../en/developers.ts';

export const developers = {
  developers: 'Entwicklung',
  lead: 'Programme können alles, was diese Konsole kann, über REST oder GraphQL.',
  organization: 'Organisation',
  assistant: 'Assistent',
  yourIds: 'Ihre IDs',
  allAssistants: 'Alle Assistenten',
  rateLimits: 'Anfragelimits',
  organizationKey: 'Organisationsschlüssel',
  perMinute: 'Anfragen pro Minute, REST und GraphQL zusammen',
  userKey: 'Benutzerschlüssel',
  rateLimitHeaders:
    'Jede Antwort enthält <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> und, in Unix-Sekunden, <code>X-RateLimit-Reset</code>. Wird das Limit überschritten, ist die Antwort 429, und <code>Retry-After</code> nennt die Sekunden, die zu warten sind.',
  userKeyAllows:
    'Assistenten, Dateien von Assistenten, OpenAI-Clients und GraphQL, mit den Rechten der Person, der er gehört',
  everyMember: 'jedem Mitglied',
  organizationKeyAllows: 'Benutzerverwaltung, Sponsoring und GraphQL, für die Organisation',
  keys: 'Schlüssel',
  keysCaption: 'Die zwei Arten von Schlüsseln',
  key: 'Schlüssel',
  prefix: 'Präfix',
  allows: 'Erlaubt',
  createdBy: 'Erstellt von',
  keyShownOnce:
    'Ein Schlüssel wird einmal gezeigt, wenn er erstellt wird, und als <code>Authorization: Bearer …</code> gesendet. Speichern Sie ihn nicht in Code, den andere lesen können. Ein bekannt gewordener Schlüssel funktioniert nicht mehr, sobald Sie ihn widerrufen.',
  referenceAndTools: 'Referenz und Werkzeuge',
  apiReference: 'API-Referenz',
  apiReferenceHint: 'Jeder REST-Aufruf mit Eingabe, Antworten und einem Beispiel mit curl.',
  openApiDocument: 'OpenAPI-Dokument',
  openApiHint: 'Dieselbe Referenz für Generatoren von Clients.',
  graphiqlDisabled:
    'Es ist auf diesem Server ausgeschaltet; die Einstellung GRAPHIQL schaltet es ein.',
  graphiqlHint:
    'Schreiben Sie GraphQL-Abfragen, und sehen Sie deren Ergebnisse. Sie werden in Ihrem Namen ausgeführt, mit dieser Sitzung oder mit einem Schlüssel, den Sie in den Headern angeben.',
  graphiqlOrganization:
    'Sie werden in Ihrer Standardorganisation ausgeführt; der Header <code>x-atrium-organization</code> nennt eine andere.',
  consoleQueries: 'Abfragen dieser Konsole',
  consoleQueriesHint:
    '„Diese Seite als GraphQL und curl zeigen“ im Kontomenü zeigt die Abfragen der aktuellen Seite, fertig zum Kopieren.',
  newWindow: '(öffnet ein neues Fenster)',
  administrators: 'Administratoren',
  curl: 'curl',
  javaScript: 'JavaScript',
  graphql: 'GraphQL',
  userManagement: 'Benutzerverwaltung',
  curlStreaming: 'curl mit Streaming',
  openAiJavaScript: 'OpenAI-Client für JavaScript',
  openAiPython: 'OpenAI-Client für Python',
  quickStart: 'Schnellstart',
  createKey: 'Schlüssel erstellen',
  example: 'Beispiel',
  noAssistant:
    'Sie haben noch keinen Assistenten. Ersetzen Sie ASSISTANT_ID durch die ID eines Assistenten.',
  setKey: '1. {key, select, user {Benutzerschlüssel} other {Organisationsschlüssel}} setzen',
  sendRequest: '2. Anfrage senden',
  thisPage: 'API-Aufrufe dieser Seite',
  thisPageHint:
    'Alles auf dieser Seite kommt aus der GraphQL-API. Setzen Sie <code>ATRIUM_KEY</code> auf einen Schlüssel, um dieselben Anfragen aus einem Programm zu senden. Felder, die eine angemeldete Person brauchen, geben für Schlüssel einen Fehler zurück.',
  noRequests: 'Diese Seite hat keine Anfragen gesendet',
  variables: 'Variablen',
  restWith:
    'REST, mit {key, select, user {einem Benutzerschlüssel} other {einem Organisationsschlüssel}}',
} as const satisfies Translation<typeof english>;
