import { atMost } from '../../bench/goals.ts';
import { none, type Proof } from '../proof.ts';
import { openSponsoredSite, type SponsoredSite } from './sponsored-site.ts';

const perNetworkMax = 20;
const isReserved = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'heldUntil' in answer;

export const proof: Proof = {
  claim:
    'a network has at most 20 reservations, releasing from another network wins nothing, and an allow-list reserves for its addresses only',
  long: true,
  async attempt({ say }) {
    const site = await openSponsoredSite({ ANONYMOUS_LIMIT: '100000' });
    try {
      const { token } = await site.offer();
      const [home, elsewhere] = ['198.51.100.7', '203.0.113.7'];
      const first = await reserveFrom(site, token, home, 60);
      say(`one network: ${first.length} reservations of 60 tries`);
      // The same cookies from another network: each release was booked there, whose count so went
      // below zero.
      for (const { jar } of first) {
        const other = site.browser(elsewhere);
        for (const [name, cookie] of jar) other.jar.set(name, cookie);
        await site.atLink(other, token).release();
      }
      const second = await reserveFrom(site, token, elsewhere, 60);
      say(`the network that released: ${second.length} reservations of 60 tries`);
      const listed = await site.offer({ allowedEmailDomains: ['partner.example'] });
      const unnamed = await reserveFrom(site, listed.token, '192.0.2.7', 5);
      const key = site.browser('192.0.2.8', {
        authorization: `Bearer ${site.partner.organizationKey}`,
      });
      const byKey = await site.atLink(key, token).release();
      return [
        atMost(perNetworkMax, {
          figure: 'reservations of one network',
          value: first.length,
          unit: '',
        }),
        atMost(perNetworkMax, {
          figure: 'reservations of a network that released those of another',
          value: second.length,
          unit: '',
        }),
        none('reservations at an allow-list without an address', unnamed.length),
        none('releases that an API key may ask for', byKey === 'FORBIDDEN' ? 0 : 1),
      ];
    } finally {
      await site.close();
    }
  },
};

/** Every try is a browser of its own. Those that got a reservation. */
async function reserveFrom(site: SponsoredSite, token: string, address: string, tries: number) {
  const browsers = Array.from({ length: tries }, () => site.browser(address));
  const answers = await Promise.all(
    browsers.map((browser) => site.atLink(browser, token).reserve()),
  );
  return browsers.filter((_, index) => isReserved(answers[index]));
}
