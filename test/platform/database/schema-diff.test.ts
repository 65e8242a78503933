import { describe, expect, it } from 'vitest';
import { schemaDiff } from '../../../prisma/schema-diff.ts';
import { readMigrations } from '../../../src/platform/database/migrations.ts';

describe('the migrations', () => {
  it('the migrations produce the models', async () => {
    expect(await schemaDiff(await readMigrations())).toBe('');
  });

  it('a missing migration is reported as a difference', async () => {
    const without = {
      name: '9_without',
      script: 'drop index users_email_key; alter table teams drop column name_key cascade;',
      checksum: '',
    };
    const script = await schemaDiff([...(await readMigrations()), without]);
    expect(script).toContain('CREATE UNIQUE INDEX "users_email_key"');
    expect(script).toContain('ADD COLUMN     "name_key" TEXT NOT NULL');
  });
});
