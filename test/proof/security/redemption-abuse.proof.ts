import { atMost } from '../../bench/goals.ts';
import { none, type Proof } from '../proof.ts';
import { openSponsoredSite, type SponsoredSite } from './sponsored-site.ts';

const perNetworkMax = 5;
const password = 'a horse, a battery, a staple';
const isMade = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'organization' in answer;

export const proof: Proof = {
  claim:
    'one network creates few sponsored workspaces in a short time, and in production an allow-list is redeemed with a verified address only',
  long: true,
  async attempt({ say }) {
    const site = await openSponsoredSite({
      NODE_ENV: 'production',
      EMAIL_VERIFICATION: 'off',
      ANONYMOUS_LIMIT: '100000',
    });
    try {
      const { token } = await site.offer();
      const strangers = [];
      for (let index = 0; index < 8; index += 1)
        strangers.push(
          await stranger(site, `stranger${index}@mail.example`, `198.51.100.${index}`),
        );
      const startedAt = performance.now();
      const made = [];
      for (const browser of strangers)
        made.push(await site.atLink(browser('203.0.113.7'), token).redeem());
      const workspaces = made.filter(isMade).length;
      say(
        `${workspaces} workspaces from one network in ${Math.round(performance.now() - startedAt)} ms`,
      );

      const listed = await site.offer({ allowedEmailDomains: ['partner.example'] });
      const typed = (await stranger(site, 'director@partner.example', '198.51.100.99'))(
        '192.0.2.7',
      );
      const unverified = await site.atLink(typed, listed.token).redeem();
      say(
        `an address of the partner that nobody verified: ${isMade(unverified) ? 'a workspace' : unverified}`,
      );
      return [
        atMost(perNetworkMax, {
          figure: 'workspaces that eight accounts of one network created at once',
          value: workspaces,
          unit: '',
        }),
        none(
          'workspaces of an allow-list with an address that was not verified',
          isMade(unverified) ? 1 : 0,
        ),
        none(
          'such refusals with another reason than EMAIL_NOT_VERIFIED',
          unverified === 'EMAIL_NOT_VERIFIED' ? 0 : 1,
        ),
      ];
    } finally {
      await site.close();
    }
  },
};

/** An account of somebody who can type an address. */
const stranger = (site: SponsoredSite, email: string, address: string) =>
  site.enter('sign-up', { email, password, firstName: 'Sam', lastName: 'Stranger' }, address);
