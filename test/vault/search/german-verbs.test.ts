import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { germanVerbForms } from '../../../src/platform/language/german-verb-forms.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

const documents: Record<string, string> = {
  booking: 'Wer nicht kommt und nicht absagt, zahlt 25 Euro.',
  travel: 'Flüge sind nur in der Economy erlaubt.',
  contract: 'Der Abschluss des Vertrags wird bestätigt.',
  insurance: 'Bei Verlust der Karte hilft die Zentrale.',
  meeting: 'Sie wurde gestern angenommen.',
  price: 'Tickets are half price on Mondays.',
};

let vault: VaultServers;
const found = async (query: string): Promise<string[]> => {
  const { body } = await vault.call('POST', '/v1/collections/rules/search', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, mode: 'keyword' }),
  });
  return (body.passages as { document: string }[]).map(({ document }) => document);
};

beforeAll(async () => {
  vault = await startVaultServers();
  for (const [name, text] of Object.entries(documents))
    expect((await vault.put('rules', name, text)).status).toBe(200);
});
afterAll(() => vault.close());

describe('The forms of German verbs in a search', () => {
  test.each([
    ['Ich habe vergessen abzusagen', 'booking'],
    ['Ich habe abgesagt', 'booking'],
    ['Darf ich Business fliegen?', 'travel'],
    ['Wann wird der Vertrag abgeschlossen?', 'contract'],
    ['Ich habe meine Karte verloren', 'insurance'],
    ['Wann beginnt die Annahme?', 'meeting'],
    ['anzunehmen', 'meeting'],
  ])('"%s" finds the text with another form of its verb first', async (query, document) => {
    expect((await found(query))[0]).toBe(document);
  });

  test('An English word that is also a form of a German verb finds no text with that verb', async () => {
    expect(await found('half price')).toEqual(['price']);
  });

  test.each(['rechnung', 'table', 'ge', 'ab', 'zu', 'x'.repeat(64)])(
    'The word "%s" has no other forms',
    (word) => {
      expect(germanVerbForms(word)).toEqual([]);
    },
  );
});
