import { atMost } from '../../bench/goals.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { openSponsoredSite, type SponsoredSite } from './sponsored-site.ts';

const perNetworkMax = 5;
const password = 'a horse, a battery, a staple';
const isWorkspace = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'organization' in answer;

export const proof: Proof = {
  claim:
    'One network can create only few sponsored workspaces in a short time, and in production a campaign with an allow-list requires a verified address',
  long: true,
  async measure({ log }) {
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
          await signUpStranger(site, `stranger${index}@mail.example`, `198.51.100.${index}`),
        );
      const startedAt = performance.now();
      const redemptions = [];
      for (const browser of strangers)
        redemptions.push(await site.atLink(browser('203.0.113.7'), token).redeem());
      const workspaces = redemptions.filter(isWorkspace).length;
      log(
        `${workspaces} workspaces from one network in ${Math.round(performance.now() - startedAt)} ms`,
      );

      const restrictedOffer = await site.offer({ allowedEmailDomains: ['partner.example'] });
      const browserOfDirector = (
        await signUpStranger(site, 'director@partner.example', '198.51.100.99')
      )('192.0.2.7');
      const unverified = await site.atLink(browserOfDirector, restrictedOffer.token).redeem();
      log(
        `an unverified address of the partner: ${isWorkspace(unverified) ? 'a workspace' : unverified}`,
      );
      return [
        atMost(perNetworkMax, {
          figure: 'workspaces that eight accounts created from one network',
          value: workspaces,
          unit: '',
        }),
        exactlyZero(
          'workspaces created from an allow-list with an unverified address',
          isWorkspace(unverified) ? 1 : 0,
        ),
        exactlyZero(
          'those refusals with another reason than EMAIL_NOT_VERIFIED',
          unverified === 'EMAIL_NOT_VERIFIED' ? 0 : 1,
        ),
      ];
    } finally {
      await site.close();
    }
  },
};

/** Signs up with an address that the person does not have to own. */
const signUpStranger = (site: SponsoredSite, email: string, address: string) =>
  site.signUpOrIn('sign-up', { email, password, firstName: 'Sam', lastName: 'Stranger' }, address);
