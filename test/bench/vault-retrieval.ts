import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { listen } from '../../src/platform/server.ts';
import { chunk } from '../../src/vault/chunk.ts';
import { hashingEmbedder } from '../../src/vault/embed/embedder.ts';
import { search } from '../../src/vault/search/search.ts';
import { createVectorDbClient, type VectorDbClient } from '../../src/vault/vector-db/client.ts';
import { openVectorDb } from '../../src/vault/vector-db/vector-db.ts';

const data = new URL('./retrieval/', import.meta.url);
const collection = 'handbook';
const secret = 'the-secret-of-the-bench';
const modes = ['keyword', 'vector', 'hybrid'] as const;

export type Quality = {
  mode: string;
  kind: string;
  questions: number;
  recallAt5: number;
  ndcgAt10: number;
};
type Question = { kind: string; document: string; query: string };

/**
 * How often the document that answers is among the first five, and how far up (nDCG at 10), over
 * all questions and by kind.
 */
export async function measureRetrieval(): Promise<Quality[]> {
  return withHandbook(async (vectorDb, questions) => {
    const figures: Quality[] = [];
    for (const mode of modes) {
      const ranks = new Map<Question, number>();
      for (const question of questions) {
        const asked = { collection, query: question.query, limit: 50, offset: 0, mode };
        const { passages } = await search(asked, {
          vectorDb,
          embedder: hashingEmbedder,
          reranker: undefined,
        });
        ranks.set(question, rankOf(question, passages));
      }
      for (const kind of ['all', ...new Set(questions.map((question) => question.kind))]) {
        const those = questions
          .filter((question) => kind === 'all' || question.kind === kind)
          .map((question) => ranks.get(question) ?? 0);
        figures.push({
          mode,
          kind,
          questions: those.length,
          recallAt5: mean(those.map(recallAt5)),
          ndcgAt10: mean(those.map(ndcgAt10)),
        });
      }
    }
    return figures;
  });
}

/** The labelled set, laid down in a real vector database. */
async function withHandbook<T>(
  measure: (vectorDb: VectorDbClient, questions: Question[]) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  const database = await openVectorDb({
    location: join(directory, 'vectors'),
    secret,
    log: pino({ level: 'silent' }),
  });
  const server = createServer(database.listener);
  try {
    const vectorDb = createVectorDbClient({
      url: await listen(server, { HOST: '127.0.0.1', PORT: 0 }),
      secret,
    });
    const sections = (await readFile(new URL('handbook.md', data), 'utf8')).split(/^## /m).slice(1);
    for (const section of sections) {
      const [name = '', ...lines] = section.trim().split('\n');
      await vectorDb.put(
        collection,
        name,
        { hash: '0'.repeat(64), embedding: hashingEmbedder.name, facts: {} },
        passagesOf(lines),
      );
    }
    const rows = (await readFile(new URL('questions.tsv', data), 'utf8')).trim().split('\n');
    return await measure(
      vectorDb,
      rows.map((row) => {
        const [kind = '', document = '', query = ''] = row.split('\t');
        return { kind, document, query };
      }),
    );
  } finally {
    server.closeAllConnections();
    server.close();
    await database.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function* passagesOf(lines: string[]) {
  const blocks = lines.map((text) => ({
    kind: text.startsWith('|') ? ('row' as const) : ('paragraph' as const),
    text,
  }));
  for await (const passage of chunk(asyncly(blocks))) {
    const [vector = new Float32Array()] = await hashingEmbedder.embed([passage.text], 'passage');
    yield { ...passage, vector };
  }
}

async function* asyncly<T>(items: T[]) {
  yield* items;
}

/** From 1; 0 where it is not found. A document counts where its first passage stands. */
function rankOf({ document }: Question, passages: readonly { document: string }[]): number {
  return [...new Set(passages.map((passage) => passage.document))].indexOf(document) + 1;
}

const recallAt5 = (rank: number) => (rank > 0 && rank <= 5 ? 1 : 0);
// One document answers each question, so the ideal is 1.
const ndcgAt10 = (rank: number): number => (rank > 0 && rank <= 10 ? 1 / Math.log2(rank + 1) : 0);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
