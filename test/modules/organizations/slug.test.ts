import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { freeSlug, slugOf } from '../../../src/modules/organizations/slug.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp();
afterAll(() => app.close());

describe('a slug', () => {
  it.each([
    ['Bäckerei Öz & Söhne', 'backerei-oz-sohne'],
    ['  ACME  Inc. ', 'acme-inc'],
    ['株式会社', 'organization'],
    ['-', 'organization'],
    [`${'a'.repeat(49)} b`, 'a'.repeat(49)],
  ])('of %j is %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('of any name is one that the database takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) =>
        /^[a-z0-9][a-z0-9-]{0,62}$/.test(slugOf(name)),
      ),
    );
  });

  it('is another one where it is taken', async () => {
    const { slug } = await app.organization();
    const free = await inTransaction(app.database, (tx) => freeSlug(slug, tx));
    expect(free).toMatch(new RegExp(`^${slug}-[0-9a-f]{10}$`));
  });
});
