import { atLeast, atMost } from '../../bench/goals.ts';
import type { Proof } from '../proof.ts';
import { cookiesOf, isStatus, openSite } from './sign-in-site.ts';

const wrong = 'a wrong password';
const many = <T>(count: number, one: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));

export const proof: Proof = {
  claim: 'Strangers who try passwords or ask for mails do not lock the owner of an account out',
  async attempt() {
    const site = await openSite();
    const { email, password } = site;
    try {
      const device = cookiesOf(await site.signIn({ email, password }, { network: '192.0.2.10' }));
      const tries = await many(30, () =>
        site.signIn({ email, password: wrong }, { network: '198.51.100.1' }),
      );
      const elsewhere = await site.signIn({ email, password }, { network: '192.0.2.11' });
      const beside = await site.signIn(
        { email, password },
        { network: '198.51.100.1', cookie: device },
      );
      const ask = (network: string, cookie?: string) =>
        site.post(
          '/auth/request-password-reset',
          { email },
          { network, ...(cookie === undefined ? {} : { cookie }) },
        );
      await many(12, () => ask('198.51.100.2'));
      const ownNetwork = await ask('192.0.2.12');
      const flood = await many(40, (index) => ask(`198.51.101.${index}`));
      const ownDevice = await ask('198.51.100.2', device);
      return [
        atMost(10, {
          figure: 'of 30 tries at once of one network, those that were compared',
          value: tries.filter(({ status }) => status === 401).length,
          unit: '',
        }),
        isStatus('the owner signs in from another network', elsewhere.status, 200),
        isStatus(
          'the owner signs in from the network of the stranger, with a browser that signed in before',
          beside.status,
          200,
        ),
        isStatus(
          'after twelve requests of a stranger the owner asks for a reset from another network',
          ownNetwork.status,
          200,
        ),
        isStatus(
          'after requests from 40 networks the owner asks from the browser that signed in before',
          ownDevice.status,
          200,
        ),
        atMost(20, {
          figure: 'of mails that 40 networks ask for, those that are sent to one mailbox',
          value: flood.filter(({ status }) => status === 200).length,
          unit: '',
        }),
        atLeast(1, {
          figure: 'requests for mails that were refused',
          value: flood.filter(({ status }) => status === 429).length,
          unit: '',
        }),
      ];
    } finally {
      await site.close();
    }
  },
};
