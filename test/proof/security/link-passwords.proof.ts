import { atMost } from '../../bench/goals.ts';
import { none, type Proof } from '../proof.ts';
import { openSponsoredSite, type SponsoredSite } from './sponsored-site.ts';

const perWideNetworkMax = 20;
const perLinkMax = 300;
const linkPassword = '7391';

export const proof: Proof = {
  claim:
    'guessing the password of a link ends for a /48 and for the link as a whole, the partner learns of it, and others still get in',
  long: true,
  async attempt({ quick, say }) {
    const site = await openSponsoredSite({ ANONYMOUS_LIMIT: '100000' });
    try {
      const one = await site.offer({}, { password: linkPassword });
      const ofOne = await compared(
        site,
        one.token,
        Array.from({ length: 40 }, (_, index) => `2001:db8:1:${index.toString(16)}::1`),
      );
      say(`one /48 with 40 networks of /64: ${ofOne} passwords compared`);
      const other = await site.atLink(site.browser('198.51.100.7'), one.token).open(linkPassword);
      const isAdmitted = typeof other === 'object';
      const told = await wrongPasswordsAt(site, one.linkId);
      say(`the partner is told of ${told} wrong passwords`);
      const findings = [
        atMost(perWideNetworkMax, {
          figure: 'passwords compared for one /48',
          value: ofOne,
          unit: '',
        }),
        none('honest visitors of another network who are locked out', isAdmitted ? 0 : 1),
        none('wrong passwords that the partner is not told of', Math.max(0, ofOne - told)),
      ];
      if (quick) return findings;
      const many = await site.offer({}, { password: linkPassword });
      const addresses = Array.from(
        { length: 500 },
        (_, index) =>
          `2001:db8:${(index % 30).toString(16)}:${Math.floor(index / 30).toString(16)}::1`,
      );
      const ofMany = await compared(site, many.token, addresses);
      return [
        ...findings,
        atMost(perLinkMax, {
          figure: 'passwords compared for one link, from 30 networks of /48',
          value: ofMany,
          unit: '',
        }),
      ];
    } finally {
      await site.close();
    }
  },
};

/** How many of these tries reached the comparison. */
async function compared(site: SponsoredSite, token: string, addresses: string[]): Promise<number> {
  let count = 0;
  for (let from = 0; from < addresses.length; from += 20) {
    const answers = await Promise.all(
      addresses
        .slice(from, from + 20)
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
