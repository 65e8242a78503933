import { atMost } from '../../bench/goals.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { openSponsoredSite, type SponsoredSite } from './sponsored-site.ts';

const perNetworkMax = 20;
const isReserved = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'heldUntil' in answer;

export const proof: Proof = {
  claim:
    'A network has at most 20 reservations, a release from another network gains no further ones, and an allow-list reserves only for its addresses',
  long: true,
  async measure({ log }) {
    const site = await openSponsoredSite({ ANONYMOUS_LIMIT: '100000' });
    try {
      const { token } = await site.offer();
      const [home, elsewhere] = ['198.51.100.7', '203.0.113.7'];
      const firstNetwork = await reserveFrom(site, token, home, 60);
      log(`one network: ${firstNetwork.length} reservations in 60 tries`);
      // Releases the reservations with the same cookies from another network. A counter per network
      // would be decremented there and go below zero, which would allow more reservations.
      for (const { cookies } of firstNetwork) {
        const browser = site.browser(elsewhere);
        for (const [name, cookie] of cookies) browser.cookies.set(name, cookie);
        await site.atLink(browser, token).release();
      }
      const secondNetwork = await reserveFrom(site, token, elsewhere, 60);
      log(`the releasing network: ${secondNetwork.length} reservations in 60 tries`);
      const restrictedOffer = await site.offer({ allowedEmailDomains: ['partner.example'] });
      const withoutAddress = await reserveFrom(site, restrictedOffer.token, '192.0.2.7', 5);
      const key = site.browser('192.0.2.8', {
        authorization: `Bearer ${site.partner.organizationKey}`,
      });
      const keyAnswer = await site.atLink(key, token).release();
      return [
        atMost(perNetworkMax, {
          figure: 'reservations of one network',
          value: firstNetwork.length,
          unit: '',
        }),
        atMost(perNetworkMax, {
          figure: 'reservations of a network that released those of another network',
          value: secondNetwork.length,
          unit: '',
        }),
        exactlyZero('reservations from an allow-list without an address', withoutAddress.length),
        exactlyZero('releases accepted with an API key', keyAnswer === 'PEOPLE_ONLY' ? 0 : 1),
      ];
    } finally {
      await site.close();
    }
  },
};

/** Tries to reserve with a new browser each time, and returns the browsers with a reservation. */
async function reserveFrom(site: SponsoredSite, token: string, address: string, tries: number) {
  const browsers = Array.from({ length: tries }, () => site.browser(address));
  const answers = await Promise.all(
    browsers.map((browser) => site.atLink(browser, token).reserve()),
  );
  return browsers.filter((_, index) => isReserved(answers[index]));
}
