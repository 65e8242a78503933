import { expect, it } from 'vitest';
import { scopesOfField } from '../../../src/graph/schema/scope-check.ts';
import { schema } from '../../../src/schema.ts';

it('Only these root fields can be queried without a key or a session', () => {
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  );
  const unscopedFields = fields.filter((field) => Object.keys(scopesOfField(field)).length === 0);
  expect(unscopedFields.map(({ name }) => name).toSorted()).toEqual([
    'acceptAddedMembership',
    'addedMembership',
    'completeSetup',
    'declineAddedMembership',
    'errorCatalogue',
    'invitation',
    'openSponsoredOffer',
    'releaseSponsorship',
    'reserveSponsorship',
    'signInOptions',
    'sponsoredOffer',
    'viewer',
  ]);
});
