import { z } from 'zod';

// The vault's answers to monitoring requests, validated on arrival. A section whose monitoring is
// switched off is null.

const status = z.enum(['healthy', 'unhealthy']);
const nullableNumber = z.number().nullable();

export const healthAnswer = z.object({
  status,
  version: z.string(),
  uptimeSeconds: z.number(),
  checks: z.record(z.string(), z.object({ status, latencyMs: nullableNumber })),
});

export const systemAnswer = z.object({
  timestamp: z.string(),
  cpu: z
    .object({ usagePercent: z.number(), cores: z.number(), loadAverage: z.array(z.number()) })
    .nullable(),
  memory: z
    .object({ totalBytes: z.number(), usedBytes: z.number(), usagePercent: z.number() })
    .nullable(),
  storage: z
    .array(
      z.object({
        path: z.string(),
        totalBytes: z.number(),
        usedBytes: z.number(),
        freeBytes: z.number(),
        usagePercent: z.number(),
      }),
    )
    .nullable(),
  database: z
    .object({ status, documentCount: nullableNumber, latencyMs: nullableNumber })
    .nullable(),
  process: z
    .object({ rssBytes: z.number(), heapUsedBytes: z.number(), eventLoopDelayMs: z.number() })
    .nullable(),
  reembedding: z.object({ done: z.int(), total: z.int() }),
});

export const historyAnswer = z.object({
  stepSeconds: z.number(),
  points: z.array(
    z.object({
      at: z.string(),
      cpuPercent: nullableNumber,
      memoryPercent: nullableNumber,
      storagePercent: nullableNumber,
      eventLoopDelayMs: nullableNumber,
      rssBytes: nullableNumber,
      databaseLatencyMs: nullableNumber,
      documentCount: nullableNumber,
    }),
  ),
});

export const rateLimitAnswer = z.object({
  limit: z.int(),
  remaining: z.int(),
  used: z.int(),
  reset: z.int(),
  windowSeconds: z.int(),
  limited: z.boolean(),
  blockedTotal: z.int(),
});
