import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { listen } from '../../src/http/server.ts';
import { chunk } from '../../src/vault/chunk.ts';
import { hashingEmbedder } from '../../src/vault/embed/embedder.ts';
import { search } from '../../src/vault/search/search.ts';
import { createVectorDbClient, type VectorDbClient } from '../../src/vault/vector-db/client.ts';
import { openVectorDb } from '../../src/vault/vector-db/vector-db.ts';

const dataFolder = new URL('./retrieval/', import.meta.url);
const collection = 'handbook';
const secret = 'the-secret-of-the-bench';
const modes = ['keyword', 'vector', 'hybrid'] as const;

export type RetrievalFigures = {
  mode: string;
  kind: string;
  questions: number;
  recallAt5: number;
  ndcgAt10: number;
};
type LabelledQuestion = { kind: string; document: string; query: string };

/**
 * Measures how often the right document is among the first five results, and its rank (nDCG at 10),
 * for all questions and by kind.
 */
export async function measureRetrieval(): Promise<RetrievalFigures[]> {
  return withHandbook(async (vectorDb, questions) => {
    const figures: RetrievalFigures[] = [];
    for (const mode of modes) {
      const ranks = new Map<LabelledQuestion, number>();
      for (const question of questions) {
        const searchRequest = { collection, query: question.query, limit: 50, offset: 0, mode };
        const { passages } = await search(searchRequest, {
          vectorDb,
          embedder: hashingEmbedder,
          reranker: undefined,
        });
        ranks.set(question, rankOf(question, passages));
      }
      for (const kind of ['all', ...new Set(questions.map((question) => question.kind))]) {
        const matchingRanks = questions
          .filter((question) => kind === 'all' || question.kind === kind)
          .map((question) => ranks.get(question) ?? 0);
        figures.push({
          mode,
          kind,
          questions: matchingRanks.length,
          recallAt5: mean(matchingRanks.map(recallAt5)),
          ndcgAt10: mean(matchingRanks.map(ndcgAt10)),
        });
      }
    }
    return figures;
  });
}

/** Stores the labelled set in a real vector database. */
async function withHandbook<T>(
  measure: (vectorDb: VectorDbClient, questions: LabelledQuestion[]) => Promise<T>,
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
    const sections = (await readFile(new URL('handbook.md', dataFolder), 'utf8'))
      .split(/^## /m)
      .slice(1);
    for (const section of sections) {
      const [name = '', ...lines] = section.trim().split('\n');
      await vectorDb.put(
        collection,
        name,
        { hash: '0'.repeat(64), embedding: hashingEmbedder.name, facts: {} },
        passagesOf(lines),
      );
    }
    const rows = (await readFile(new URL('questions.tsv', dataFolder), 'utf8')).trim().split('\n');
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
  for await (const passage of chunk(toAsync(blocks))) {
    const [vector = new Float32Array()] = await hashingEmbedder.embed([passage.text], 'passage');
    yield { ...passage, vector };
  }
}

async function* toAsync<T>(items: T[]) {
  yield* items;
}

/**
 * The rank of the document, from 1; 0 if it is not found. A document has the rank of its first
 * passage.
 */
function rankOf({ document }: LabelledQuestion, passages: readonly { document: string }[]): number {
  return [...new Set(passages.map((passage) => passage.document))].indexOf(document) + 1;
}

const recallAt5 = (rank: number) => (rank > 0 && rank <= 5 ? 1 : 0);
// Each question has exactly one right document, so the ideal DCG is 1.
const ndcgAt10 = (rank: number): number => (rank > 0 && rank <= 10 ? 1 / Math.log2(rank + 1) : 0);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
