import type { Proof } from '../proof.ts';
import { inManyRounds } from '../run-tests.ts';

export const proof: Proof = {
  claim:
    'Concurrent redemptions, releases and changes of the limit never exceed the limit of a campaign, and refuse nobody while capacity is free',
  measure: inManyRounds('test/modules/sponsorship/redeeming/redemption-races.test.ts', [
    'embedded',
    'postgres',
  ]),
};
