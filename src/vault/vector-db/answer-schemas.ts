import { z } from 'zod';

const passage = z.object({
  ordinal: z.number(),
  text: z.string(),
  page: z.number().nullable(),
  headings: z.array(z.string()),
  start: z.number(),
  end: z.number(),
});
const document = z.object({
  document: z.string(),
  hash: z.string(),
  embedding: z.string(),
  passages: z.number(),
  updatedAt: z.string(),
  generation: z.number(),
  facts: z.record(z.string(), z.unknown()),
});
const next = z.string().nullable();
const keywordHit = passage.extend({ document: z.string(), score: z.number() });
const searchResult = z.object({
  embeddings: z.array(z.string()),
  keyword: z.array(keywordHit),
  vector: z.array(keywordHit.extend({ embedding: z.string() })),
});
const scoredHit = z.object({ document: z.string(), ordinal: z.number(), score: z.number() });
const bestResult = z.object({
  keyword: z.array(scoredHit),
  vector: z.array(scoredHit.extend({ embedding: z.string() })),
  passages: z.array(passage.extend({ document: z.string() })),
});
/** What the vector database answers, by call. */
export const answerSchemas = {
  stored: z.object({ passages: z.number() }),
  document,
  documents: z.object({ documents: z.array(document), next }),
  passages: z.object({ document: z.string(), passages: z.array(passage) }),
  collections: z.object({
    collections: z.array(
      z.object({
        collection: z.string(),
        documents: z.number(),
        passages: z.number(),
        embeddings: z.array(z.string()),
      }),
    ),
    next,
  }),
  removed: z.object({ document: z.string(), existed: z.boolean(), passages: z.number() }),
  removedCollection: z.object({ documents: z.number(), passages: z.number() }),
  searchResult,
  // A vector database that does not know `best` answers with all texts.
  bestResult: z.union([bestResult, searchResult.transform(withAllPassages)]),
};

/** The passages of both lists. */
function withAllPassages({ keyword, vector }: z.output<typeof searchResult>) {
  return { keyword, vector, passages: [...keyword, ...vector] };
}
