import { atMost } from '../../bench/goals.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { openSponsoredSite, type SponsoredSite } from './sponsored-site.ts';

const perWideNetworkMax = 20;
const perLinkMax = 300;
const linkPassword = '7391';

export const proof: Proof = {
  claim:
    'Guesses of a link’s password are limited for each /48 and for each link, the partner sees them, and honest visitors still get in',
  long: true,
  async measure({ quick, log }) {
    const site = await openSponsoredSite({ ANONYMOUS_LIMIT: '100000' });
    try {
      const offer = await site.offer({}, { password: linkPassword });
      const comparedForNetwork = await countCompared(
        site,
        offer.token,
        Array.from({ length: 40 }, (_, index) => `2001:db8:1:${index.toString(16)}::1`),
      );
      log(`one /48 with 40 /64 networks: ${comparedForNetwork} passwords compared`);
      const honestVisit = await site
        .atLink(site.browser('198.51.100.7'), offer.token)
        .open(linkPassword);
      const isAdmitted = typeof honestVisit === 'object';
      const reportedCount = await wrongPasswordsAt(site, offer.linkId);
      log(`the partner sees ${reportedCount} wrong passwords`);
      const findings = [
        atMost(perWideNetworkMax, {
          figure: 'passwords compared for one /48',
          value: comparedForNetwork,
          unit: '',
        }),
        exactlyZero('honest visitors from another network who are locked out', isAdmitted ? 0 : 1),
        exactlyZero(
          'wrong passwords that the partner does not see',
          Math.max(0, comparedForNetwork - reportedCount),
        ),
      ];
      if (quick) return findings;
      const secondOffer = await site.offer({}, { password: linkPassword });
      const addresses = Array.from(
        { length: 500 },
        (_, index) =>
          `2001:db8:${(index % 30).toString(16)}:${Math.floor(index / 30).toString(16)}::1`,
      );
      const comparedForLink = await countCompared(site, secondOffer.token, addresses);
      return [
        ...findings,
        atMost(perLinkMax, {
          figure: 'passwords compared for one link, from 30 networks of /48',
          value: comparedForLink,
          unit: '',
        }),
      ];
    } finally {
      await site.close();
    }
  },
};

/** Tries a wrong password from each address, and counts the tries that were compared. */
async function countCompared(
  site: SponsoredSite,
  token: string,
  addresses: string[],
): Promise<number> {
  let count = 0;
  for (let batch = 0; batch < addresses.length; batch += 20) {
    const answers = await Promise.all(
      addresses
        .slice(batch, batch + 20)
        .map((address) => site.atLink(site.browser(address), token).open('0000')),
    );
    count += answers.filter((answer) => answer === 'PASSWORD_WRONG').length;
  }
  return count;
}

async function wrongPasswordsAt(site: SponsoredSite, linkId: string): Promise<number> {
  const { body } = await site.request('POST', '/graphql', {
    headers: {
      authorization: `Bearer ${site.partner.organizationKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: `{ link(linkId: "${linkId}") { wrongPasswordsLastHour } }` }),
  });
  return Number(Object(Object(body['data']).link).wrongPasswordsLastHour ?? 0);
}
