import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createVaultClient, explainVaultFault } from '../../src/vault/client.ts';
import { createVectorDbWatch } from '../../src/vault/monitoring/watch-vector-db.ts';
import { signRequest } from '../../src/vault/signature.ts';
import { createVectorDbClient } from '../../src/vault/vector-db/client.ts';
import { receiver, recordLog, vaultSecret } from '../support/vault.ts';
import { startVaultServers, type VaultServers } from '../support/vault-servers.ts';

const secret = 'a-secret-that-must-not-leave-this-process';
const address = { collection: 'books', document: 'one' };
const vaultAccess = { secret: vaultSecret, audience: 'vault' } as const;
async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
async function* noPassages() {}

describe('The secret of the vault', () => {
  it('No call of the API or of the vault sends the secret to the process that listens', async () => {
    const bodies: string[] = [];
    const impostor = await receiver((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString('latin1')));
      request.on('end', () => response.end('{}'));
    });
    const vault = createVaultClient({ url: impostor.url, secret });
    const vectorDb = createVectorDbClient({ url: impostor.url, secret });
    const watch = createVectorDbWatch({ url: impostor.url, secret, log: recordLog().log });
    try {
      await Promise.allSettled([
        vault.ingest({ ...address, body: bytesOf('text') }),
        vault.extract({ body: bytesOf('text') }),
        vault.search({ collection: 'books', query: 'what' }),
        vault.document(address),
        vault.documents({ collection: 'books' }),
        vault.collections(),
        vault.passages(address),
        vault.passagesWithin({ ...address, start: 0, end: 1 }),
        vault.remove(address),
        vault.removeCollection(address),
        vault.isHealthy(),
        vault.health(),
        vault.system(),
        vault.history({ minutes: 1 }),
        vault.rateLimit(),
        vectorDb.put('books', 'one', { hash: 'aa', embedding: 'none', facts: {} }, noPassages()),
        vectorDb.search('books', { text: 'what', limit: 1 }),
        vectorDb.documents('books'),
        watch.reachability(),
        watch.sample(),
      ]);
      const received = [...impostor.requests.map(({ rawHeaders }) => rawHeaders), ...bodies].join();
      expect(impostor.requests.length).toBeGreaterThanOrEqual(20);
      for (const form of [secret, encodeURIComponent(secret), btoa(secret)])
        expect(received).not.toContain(form.replace(/=+$/, ''));
    } finally {
      vault.close();
      await impostor.stop();
    }
  });
});

describe('Signed calls of the vault', () => {
  let vault: VaultServers;
  beforeAll(async () => {
    vault = await startVaultServers();
  });
  afterAll(() => vault.close());
  afterEach(() => {
    vi.useRealTimers();
  });

  const path = '/v1/collections/books/search';
  const search = (authorization: string, text: string, base = vault.url, at = path) =>
    fetch(`${base}${at}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: text,
    });
  const text = '{"query":"what"}';
  const challengeOf = ({ headers }: Response) => headers.get('www-authenticate');
  const signed = () => signRequest({ method: 'POST', path, text }, vaultAccess);

  it('A signed call is answered as one that sends the secret', async () => {
    expect((await search(signed(), text)).status).toBe(
      (await search(`Bearer ${vaultSecret}`, text)).status,
    );
  });

  it('A signature is valid only for its method, path, query, body and server', async () => {
    const altered = await Promise.all([
      search(signed(), '{"query":"who"}'),
      search(signed(), text, vault.url, '/v1/collections/films/search'),
      search(signed(), text, vault.url, `${path}?limit=1`),
      search(signed(), '{"text":"what","limit":1}', vault.vectorDb.url),
      search(signed().replace(/.{3}$/, 'AAA'), text),
      search(signRequest({ method: 'PUT', path, text }, vaultAccess), text),
      search(signRequest({ method: 'POST', path, text }, { ...vaultAccess, secret }), text),
    ]);
    for (const answer of altered)
      expect([answer.status, challengeOf(answer), await answer.json()]).toEqual([
        401,
        'Atrium-Signature error="wrong_secret"',
        { status: 'error', message: 'The call is not signed with the secret of this server' },
      ]);
  });

  it('A signature that is older than five minutes, or from a clock ahead, is rejected with the difference', async () => {
    for (const minutes of [-6, 6]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
      const authorization = signed();
      vi.useRealTimers();
      const answer = await search(authorization, text);
      expect([answer.status, challengeOf(answer), await answer.json()]).toEqual([
        401,
        'Atrium-Signature error="clocks_differ"',
        { status: 'error', message: expect.stringMatching(/^The clocks differ by 3[56]\d s/) },
      ]);
    }
  });
});

describe('A server that rejects the calls', () => {
  const rejections = [
    ['Atrium-Signature error="wrong_secret"', 'no', /rejects the secret .* the same VAULT_SECRET$/],
    [
      'Atrium-Signature error="clocks_differ"',
      'By 400 seconds',
      /rejects the calls .* By 400 seconds$/,
    ],
    // What a version answers that only knows the secret itself.
    ['Bearer', 'Invalid or missing vault secret', /is older .* start both in the same version$/],
  ] as const;

  it.each(rejections)('%s, %s is explained to the operator', async (...rejection) => {
    const [challenge, message, explanation] = rejection;
    const server = await receiver((_, response) =>
      response
        .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': challenge })
        .end(JSON.stringify({ status: 'error', message })),
    );
    const client = createVaultClient({ url: server.url, secret });
    const { lines, log } = recordLog();
    const watch = createVectorDbWatch({ url: server.url, secret, log });
    try {
      const fault: unknown = await client.collections().catch((error: unknown) => error);
      expect(fault).toMatchObject({
        code: 'UNAVAILABLE',
        message: 'The vault can not do this now',
      });
      expect(explainVaultFault(Object(fault))).toMatch(explanation);
      await watch.sample();
      expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
        expect.stringMatching(explanation),
      ]);
    } finally {
      client.close();
      await server.stop();
    }
  });
});
