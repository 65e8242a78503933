import { afterAll, beforeAll, expect, test } from 'vitest';
import { bearer, vaultSecret } from '../../support/vault.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

const documents: Record<string, string> = {
  hotel: 'Eine Übernachtung darf 28,50 Euro kosten.',
  contract: 'Die Kündigungsfrist beträgt drei Monate, die Kündigungen sind schriftlich.',
  codes: 'The display shows E-27 when the sensor of the pump has tripped, see RFC 9457.',
  plain: 'The display shows nothing.',
  paths: 'The page how-can-i-help lists every office.',
  words: 'How we can help each other is told on another page.',
  running: 'Participants were running to the stations.',
  tokyo: '東京都の観光案内所は駅前にあります。',
  soft: 'The Reise\u00ADkosten\u00ADabrechnung is due in May.',
  filler: 'Nothing of interest stands here.',
};

let vault: VaultServers;

beforeAll(async () => {
  vault = await startVaultServers();
  for (const [name, text] of Object.entries(documents))
    expect((await vault.put('words', name, text)).status).toBe(200);
  const named = { 'x-file-name': encodeURIComponent('Parkordnung Südtor.txt') };
  await vault.put('words', 'parking', 'Stellplätze werden im Januar verlost.', named);
});
afterAll(() => vault.close());

async function found(query: string): Promise<string[]> {
  const { body } = await vault.call('POST', '/v1/collections/words/search', {
    headers: { ...bearer(vaultSecret), 'content-type': 'application/json' },
    body: JSON.stringify({ query, mode: 'keyword' }),
  });
  return body.passages.map(({ document }: { document: string }) => document);
}

test.each([
  ['other forms of a word', 'station run', 'running'],
  ['other forms of a German word', 'Kündigung', 'contract'],
  ['a part of a compound', 'Frist', 'contract'],
  ['an umlaut written as two letters', 'Uebernachtung', 'hotel'],
  ['a number with another separator', '28.50', 'hotel'],
  ['a code without its hyphen', 'E27', 'codes'],
  ['a code with a space', 'E 27', 'codes'],
  ['a name of two words', 'RFC 9457', 'codes'],
  ['a name with hyphens', 'how-can-i-help', 'paths'],
  ['two signs of a script without spaces', '観光', 'tokyo'],
  ['a word with soft hyphens', 'Reisekostenabrechnung', 'soft'],
  ['the name of the file', 'Südtor', 'parking'],
])('%s find the passage', async (_, query, document) => {
  expect((await found(query))[0]).toBe(document);
});

test('Words that say nothing do not decide', async () => {
  expect((await found('Which of these is it about: the tripped sensor?'))[0]).toBe('codes');
});

test('A question of such words only still finds them', async () => {
  expect(await found('how we can')).toContain('words');
});
