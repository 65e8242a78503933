import { z } from 'zod';

// The vault's answers, validated on arrival. Unknown fields of a newer vault are dropped.

const passage = z.object({
  ordinal: z.int(),
  text: z.string(),
  page: z.int().nullable(),
  headings: z.array(z.string()),
  start: z.int(),
  end: z.int(),
});

const listPosition = z
  .object({ rank: z.int(), score: z.number(), share: z.number().default(0) })
  .nullable();

const searchHit = passage.extend({
  document: z.string(),
  score: z.number(),
  scores: z.object({
    keyword: listPosition,
    vector: listPosition,
    coverage: listPosition.default(null),
    fused: z.number(),
    rerank: z.number().nullable(),
  }),
});

export const stageAnswer = z.object({
  stage: z.enum(['EXTRACTING', 'CHUNKING', 'EMBEDDING', 'INDEXING']),
  passages: z.int(),
});

export const ingestedAnswer = z.object({
  document: z.string(),
  hash: z.string(),
  mimeType: z.string(),
  bytes: z.int(),
  pages: z.int().nullable(),
  passages: z.int(),
  characters: z.int(),
  derivations: z.array(z.enum(['text', 'markdown', 'chunks', 'embeddings'])),
  notices: z.array(z.object({ code: z.string(), message: z.string() })).default([]),
  unchanged: z.boolean(),
  searchableAt: z.string(),
});

export const documentAnswer = z.object({
  document: z.string(),
  hash: z.string(),
  embedding: z.string(),
  passages: z.int(),
  updatedAt: z.string(),
  facts: z.record(z.string(), z.unknown()),
});

export const documentsAnswer = z.object({
  documents: z.array(documentAnswer),
  next: z.string().nullable(),
});
export const collectionsAnswer = z.object({
  collections: z.array(z.object({ collection: z.string() })),
  next: z.string().nullable(),
});
export const passagesAnswer = z.object({ passages: z.array(passage) });
export const removedAnswer = z.object({ existed: z.boolean(), passages: z.int() });
export const removedCollectionAnswer = z.object({ documents: z.int(), passages: z.int() });

export const searchAnswer = z.object({
  passages: z.array(searchHit),
  duplicatesRemoved: z.int(),
  tookMs: z.number(),
  notes: z.array(z.string()).default([]),
  embedding: z.object({ model: z.string(), tokens: z.int() }).optional(),
  explanation: z
    .object({
      candidates: z.object({ keyword: z.int(), vector: z.int(), distinct: z.int() }),
      nearDuplicates: z.int(),
      belowLimit: z.int(),
      leftOut: z.array(
        searchHit.extend({
          reason: z.enum(['NEAR_DUPLICATE', 'BELOW_LIMIT']),
          like: z.object({ document: z.string(), ordinal: z.int() }).nullable(),
        }),
      ),
    })
    .optional(),
});

export const extractAnswer = z.object({
  mimeType: z.string(),
  pages: z.int().nullable(),
  characters: z.int(),
  truncated: z.boolean(),
  text: z.string(),
  pageStarts: z.array(z.object({ page: z.int(), start: z.int() })),
});

export const errorAnswer = z.object({ message: z.string(), code: z.string().optional() });
