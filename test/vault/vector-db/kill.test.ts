import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { passagesOf, vectorOf } from '../../support/passages.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { roundsOf } from '../../support/rounds.ts';
import { linesOfLog, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';

const script = relative(
  '.',
  fileURLToPath(new URL('../../support/vector-db-process.ts', import.meta.url)),
);
const cycles = roundsOf(10);
const writers = 3;
const about = { hash: 'c'.repeat(64), embedding: 'letters-1', facts: {} };
const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
let state = seed;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

const directory = temporaryDirectory();
const location = join(directory.path, 'vectors');
let child: ReturnType<typeof run>['child'] | undefined;
afterAll(() => {
  child?.kill('SIGKILL');
  directory.remove();
});

/**
 * The word that only this version of a document holds, in each of its passages; null where there is
 * no document.
 */
type Version = { word: string; passages: number } | null;
const allowed = new Map<string, Version[]>();
const used = new Set<string>();

async function start() {
  const started = run(script, {}, [location]);
  child = started.child;
  const url = await new Promise<string>((resolve, reject) => {
    started.child.stdout.on('data', () => {
      const [, address] = /ready (\S+)\n/.exec(started.stdout()) ?? [];
      if (address) resolve(address);
    });
    started.ended.then(
      (code) => reject(new Error(`ended with ${code}: ${started.stderr()}`)),
      reject,
    );
  });
  return { client: createVectorDbClient({ url, secret: vaultSecret }), ended: started.ended };
}

type Client = ReturnType<typeof createVectorDbClient>;

async function write(client: Client, document: string) {
  const word = `qv${Math.floor(random() * 2 ** 31).toString(36)}`;
  used.add(word);
  const before = allowed.get(document) ?? [null];
  const after: Version = random() < 0.25 ? null : { word, passages: 1 + Math.floor(random() * 8) };
  allowed.set(document, [...before, after]);
  if (after)
    await client.put(
      'killed',
      document,
      about,
      passagesOf(Array.from({ length: after.passages }, () => `${word} shared`)),
    );
  else await client.remove('killed', document);
  allowed.set(document, [after]);
}

/**
 * What a reader finds of a document by its list, its words and its vectors; it must be the same.
 */
async function check(client: Client, document: string): Promise<string | undefined> {
  const versions = allowed.get(document) ?? [null];
  const record = await client.document('killed', document);
  const passages = record
    ? (await client.passages('killed', document, { limit: 100 })).passages
    : [];
  const fits = versions.find(
    (version) =>
      version?.passages === record?.passages &&
      passages.every(({ text }) => text === `${version?.word} shared`),
  );
  if (fits === undefined || passages.length !== (record?.passages ?? 0))
    return `${document}: ${JSON.stringify({ versions, record, passages })}`;
  allowed.set(document, [fits]);
  const asked = {
    text: 'shared',
    vectors: { [about.embedding]: vectorOf('shared') },
    limit: 200,
    documents: [document],
  };
  const found = await client.search('killed', asked).catch(() => ({ keyword: [], vector: [] }));
  for (const hits of [found.keyword, found.vector]) {
    const ordinals = hits
      .filter(({ text }) => text === `${fits?.word} shared`)
      .map(({ ordinal }) => ordinal);
    if (hits.length !== (fits?.passages ?? 0) || new Set(ordinals).size !== hits.length)
      return `${document}: searched ${JSON.stringify({ fits, hits })}`;
  }
  return undefined;
}

const filesWith = (words: readonly string[]) =>
  readdirSync(location, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      return words.filter((word) => bytes.includes(word)).map((word) => `${word} in ${entry.name}`);
    });

it('keeps what was answered, nothing half and nothing twice, wherever it is killed, and sweeps what is left', {
  timeout: 120_000,
}, async () => {
  process.stdout.write(`kills of the vector database: seed ${seed}\n`);
  const names = Array.from({ length: writers * 3 }, (_, index) => `doc${index}`);
  for (let cycle = 0; cycle < cycles; cycle++) {
    const { client, ended } = await start();
    const faults = (await Promise.all(names.map((name) => check(client, name)))).filter(
      (fault) => fault !== undefined,
    );
    expect(faults).toEqual([]);
    let killed = false;
    const working = Array.from({ length: writers }, async (_, writer) => {
      // Each document has one writer, so that it is known in which order its versions came.
      while (!killed)
        await write(client, `doc${writer * 3 + Math.floor(random() * 3)}`).catch(() => wait(5));
    });
    await wait(100 + random() * 500);
    killed = true;
    child?.kill('SIGKILL');
    await ended;
    await Promise.all(working);
  }
  // Tables with an index of vectors keep deleted text until Lance rewrites their file; these are
  // small enough to have none.
  const last = await startVectorDb(location, linesOfLog().log, {
    recentPassagesMax: 12,
    vectorIndexRowsMin: 500,
  });
  await last.settled();
  const client = createVectorDbClient({ url: last.url, secret: vaultSecret });
  expect(
    (await Promise.all(names.map((name) => check(client, name)))).filter(
      (fault) => fault !== undefined,
    ),
  ).toEqual([]);
  const alive = [...allowed.values()].flatMap(([version]) => (version ? [version.word] : []));
  expect(filesWith([...used].filter((word) => !alive.includes(word)))).toEqual([]);
  expect(alive.length === 0 || filesWith(alive).length > 0).toBe(true);
  await last.stop();
});
