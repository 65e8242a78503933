import { describe, expect, it } from 'vitest';
import { schemaDiff } from '../../../prisma/schema-diff.ts';
import { readMigrations } from '../../../src/platform/database/migrations.ts';

describe('the migrations', () => {
  it('lead to the models', async () => {
    expect(await schemaDiff(await readMigrations())).toBe('');
  });

  it('are missed where one is lacking', async () => {
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
