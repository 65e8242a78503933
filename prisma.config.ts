// `prisma generate` looks for the schema engine and would download it, although it never runs it.
// Any executable satisfies the check.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;
// Prisma's command line would report each run to its makers, from a process that outlives it.
process.env.CHECKPOINT_DISABLE ??= '1';

import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma',
  migrations: { path: 'prisma/migrations' },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
