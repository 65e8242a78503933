import { expect, it } from 'vitest';
import { schema } from '../../../src/schema.ts';

it('Only these root fields can be queried without a key or a session', () => {
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  );
  const unscopedFields = fields.filter((field) => {
    const { authScopes }: { authScopes?: object } = Object(field.extensions['pothosOptions']);
    return authScopes === undefined || Object.keys(authScopes).length === 0;
  });
  expect(unscopedFields.map(({ name }) => name).toSorted()).toEqual([
    'acceptAddedMembership',
    'addedMembership',
    'completeSetup',
    'declineAddedMembership',
    'invitation',
    'openSponsoredOffer',
    'releaseSponsorship',
    'reserveSponsorship',
    'signInOptions',
    'sponsoredOffer',
    'viewer',
  ]);
});
