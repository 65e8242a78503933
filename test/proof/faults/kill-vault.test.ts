import { createServer } from 'node:http';
import { relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from '../../../src/http/server.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { rounds as cycles } from '../../support/rounds.ts';
import { bearer, vaultSecret } from '../../support/vault.ts';

const script = relative(
  '.',
  fileURLToPath(new URL('../../support/vault-process.ts', import.meta.url)),
);
const writers = 3;
const documentsOfAWriter = 4;
const collection = 'killed';
const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** A word that occurs only in this version of a document; null if there is no document. */
type DocumentVersion = string | null;
/**
 * A write that was not acknowledged because of a kill. Afterwards it must be complete or absent.
 */
type PendingWrite = {
  before: Record<string, DocumentVersion>;
  after: Record<string, DocumentVersion>;
};

const directory = temporaryDirectory();
let state = seed;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const ports = { vault: '', 'vector-db': '' };
let vaultUrl = '';
let vectorDbUrl = '';
let vault: Awaited<ReturnType<typeof startService>>;
let vectorDb: Awaited<ReturnType<typeof startService>>;

async function freePort(): Promise<string> {
  const server = createServer();
  const address = await listen(server, { HOST: '127.0.0.1', PORT: 0 });
  await new Promise((resolve) => server.close(resolve));
  return new URL(address).port;
}

async function startService(service: 'vault' | 'vector-db') {
  const { child, stdout, stderr, ended } = run(script, {}, [
    service,
    directory.path,
    ports[service],
    vectorDbUrl,
  ]);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => stdout().includes('ready') && resolve());
    ended.then(
      (code) => reject(new Error(`${service} ended with ${code}: ${stdout()}${stderr()}`)),
      reject,
    );
  });
  return {
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

beforeAll(async () => {
  process.stdout.write(`kills of the vault: seed ${seed}\n`);
  ports.vault = await freePort();
  ports['vector-db'] = await freePort();
  vaultUrl = `http://127.0.0.1:${ports.vault}`;
  vectorDbUrl = `http://127.0.0.1:${ports['vector-db']}`;
  [vectorDb, vault] = await Promise.all([startService('vector-db'), startService('vault')]);
});
afterAll(async () => {
  await Promise.all([vault.kill(), vectorDb.kill()]);
  directory.remove();
});

async function request(
  url: string,
  method: string,
  path: string,
  body?: string,
): Promise<{ status: number; body: Record<string, never> }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...bearer(vaultSecret), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const pathOf = (document: string) => `/v1/collections/${collection}/documents/${document}`;

let acknowledgedWrites = 0;
const acknowledged = new Map<string, DocumentVersion>();
const textOf = new Map<string, string>();
const words = () => [...textOf.keys()];

function newText(): { word: string; text: string } {
  const word = `zq${textOf.size}x`;
  const paragraphs = 1 + Math.floor(random() * 120);
  const text = Array.from(
    { length: paragraphs },
    (_, at) => `Paragraph ${at} holds the word ${word} and some others that all versions share.`,
  ).join('\n\n');
  textOf.set(word, text);
  return { word, text };
}

/**
 * Stores, replaces and removes documents until a request fails. Returns the write of the failed
 * request.
 */
async function write(writer: number, isOver: () => boolean): Promise<PendingWrite | undefined> {
  const ownDocuments = Array.from({ length: documentsOfAWriter }, (_, at) => `w${writer}-${at}`);
  const randomOf = (documents: string[]) =>
    documents[Math.floor(random() * documents.length)] ?? '';
  while (!isOver()) {
    const document = randomOf(ownDocuments);
    const chance = random();
    const after: Record<string, DocumentVersion> = {};
    let call: () => Promise<{ status: number }>;
    if (chance < 0.25) {
      after[document] = null;
      call = () => request(vaultUrl, 'DELETE', pathOf(document));
    } else {
      const { word, text } = newText();
      const replaced =
        chance < 0.5 ? randomOf(ownDocuments.filter((other) => other !== document)) : undefined;
      if (replaced !== undefined) after[replaced] = null;
      after[document] = word;
      call = () =>
        request(
          vaultUrl,
          'PUT',
          `${pathOf(document)}${replaced === undefined ? '' : `?replaces=${replaced}`}`,
          text,
        );
    }
    const before = Object.fromEntries(
      Object.keys(after).map((name) => [name, acknowledged.get(name) ?? null]),
    );
    const status = await call().then(
      (answer) => answer.status,
      () => 0,
    );
    if (status !== 200) return { before, after };
    acknowledgedWrites += 1;
    for (const [name, version] of Object.entries(after)) acknowledged.set(name, version);
  }
  return undefined;
}

/** Returns the version of each stored document. Fails if a document is partial or duplicated. */
async function readAll(): Promise<Map<string, DocumentVersion>> {
  const { status, body } = await request(
    vaultUrl,
    'GET',
    `/v1/collections/${collection}/documents?limit=1000`,
  );
  const listed: { document: string; passages: number }[] =
    status === 404 ? [] : (body['documents'] ?? []);
  const stored = new Map<string, DocumentVersion>();
  for (const { document, passages: count } of listed) {
    const answer = await request(vaultUrl, 'GET', `${pathOf(document)}/passages?limit=1000`);
    const passages: { ordinal: number; text: string; end: number }[] =
      answer.body['passages'] ?? [];
    expect(passages.map(({ ordinal }) => ordinal)).toEqual(
      Array.from({ length: count }, (_, at) => at),
    );
    const [word = ''] = /zq\d+x/.exec(passages[0]?.text ?? '') ?? [];
    for (const { text } of passages) expect(text).toContain(word);
    expect(passages.at(-1)?.end).toBe(textOf.get(word)?.length);
    stored.set(document, word);
  }
  const meta = await fetch(`${vectorDbUrl}/v1/meta`).then((response) => response.text());
  expect(JSON.parse(meta)).toMatchObject({
    documentCount: listed.length,
    objectCount: listed.reduce((sum, { passages }) => sum + passages, 0),
  });
  return stored;
}

async function documentsWith(word: string): Promise<string[]> {
  const { status, body } = await request(
    vectorDbUrl,
    'POST',
    `/v1/collections/${collection}/search`,
    JSON.stringify({ text: word, limit: 200 }),
  );
  if (status === 404) return [];
  const hits: { document: string; ordinal: number }[] = body['keyword'] ?? [];
  const passageKeys = hits.map(({ document, ordinal }) => `${document} ${ordinal}`);
  expect(passageKeys).toEqual([...new Set(passageKeys)]);
  return [...new Set(hits.map(({ document }) => document))];
}

async function killSomething(): Promise<void> {
  const chance = random();
  if (chance < 0.4) {
    await Promise.all([vault.kill(), vectorDb.kill()]);
    [vectorDb, vault] = await Promise.all([startService('vector-db'), startService('vault')]);
    return;
  }
  if (chance < 0.7) {
    await vault.kill();
    vault = await startService('vault');
  }
  await vectorDb.kill();
  vectorDb = await startService('vector-db');
}

it(
  `After each of ${cycles} kills during writes, every acknowledged write is complete, and every other write is complete or absent`,
  async () => {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      let isOver = false;
      const firstWord = words().length;
      const answeredBefore = acknowledgedWrites;
      const running = Promise.all(
        Array.from({ length: writers }, (_, writer) => write(writer, () => isOver)),
      );
      // The kill comes at a random moment, but not before a write was acknowledged in this cycle.
      await expect
        .poll(() => acknowledgedWrites, { timeout: 60_000, interval: 5 })
        .toBeGreaterThan(answeredBefore);
      await wait(random() * 400);
      await killSomething();
      isOver = true;
      const pending = (await running).filter((entry) => entry !== undefined);

      const stored = await readAll();
      for (const { before, after } of pending) {
        const observed = Object.fromEntries(
          Object.keys(after).map((document) => [document, stored.get(document) ?? null]),
        );
        expect([before, after]).toContainEqual(observed);
        for (const [document, version] of Object.entries(observed))
          acknowledged.set(document, version);
      }
      const presentDocuments = [...acknowledged].filter(
        (entry): entry is [string, string] => entry[1] !== null,
      );
      expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(presentDocuments));

      const documentByWord = new Map(
        presentDocuments.map(([document, word]) => [word, [document]]),
      );
      const olderWords = Array.from(
        { length: 5 },
        () => words()[Math.floor(random() * firstWord)],
      ).filter((word) => word !== undefined);
      for (const word of new Set([
        ...documentByWord.keys(),
        ...words().slice(firstWord),
        ...olderWords,
      ])) {
        expect([word, await documentsWith(word)]).toEqual([word, documentByWord.get(word) ?? []]);
      }
    }
  },
  60_000 + cycles * 10_000,
);
