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
  ])('The slug of %j is %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('The slug of any name satisfies the constraint of the database', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) =>
        /^[a-z0-9][a-z0-9-]{0,62}$/.test(slugOf(name)),
      ),
    );
  });

  it('A slug that is taken gets a random suffix', async () => {
    const { slug } = await app.organization();
    const free = await inTransaction(app.database, (tx) => freeSlug(slug, tx));
    expect(free).toMatch(new RegExp(`^${slug}-[0-9a-f]{10}$`));
  });
});
