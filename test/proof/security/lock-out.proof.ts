import { atLeast, atMost } from '../../bench/goals.ts';
import type { Proof } from '../proof.ts';
import { cookiesOf, isStatus, openSite } from './sign-in-site.ts';

const wrongPassword = 'a wrong password';
const inParallel = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

export const proof: Proof = {
  claim: 'Strangers who try passwords or request mails do not lock out the owner of an account',
  async measure() {
    const site = await openSite();
    const { email, password } = site;
    try {
      const device = cookiesOf(await site.signIn({ email, password }, { network: '192.0.2.10' }));
      const strangerAnswers = await inParallel(30, () =>
        site.signIn({ email, password: wrongPassword }, { network: '198.51.100.1' }),
      );
      const otherNetwork = await site.signIn({ email, password }, { network: '192.0.2.11' });
      const knownDevice = await site.signIn(
        { email, password },
        { network: '198.51.100.1', cookie: device },
      );
      const requestReset = (network: string, cookie?: string) =>
        site.post(
          '/auth/request-password-reset',
          { email },
          { network, ...(cookie === undefined ? {} : { cookie }) },
        );
      await inParallel(12, () => requestReset('198.51.100.2'));
      const ownNetwork = await requestReset('192.0.2.12');
      const floodAnswers = await inParallel(40, (index) => requestReset(`198.51.101.${index}`));
      const ownDevice = await requestReset('198.51.100.2', device);
      return [
        atMost(10, {
          figure: 'of 30 simultaneous tries from one network, those that were compared',
          value: strangerAnswers.filter(({ status }) => status === 401).length,
          unit: '',
        }),
        isStatus('the owner signs in from another network', otherNetwork.status, 200),
        isStatus(
          'the owner signs in from the stranger’s network, with a browser that signed in before',
          knownDevice.status,
          200,
        ),
        isStatus(
          'the owner requests a reset from another network, after twelve requests of a stranger',
          ownNetwork.status,
          200,
        ),
        isStatus(
          'the owner requests a reset with a browser that signed in before, after requests from 40 networks',
          ownDevice.status,
          200,
        ),
        atMost(20, {
          figure: 'of mails requested from 40 networks, those that were sent to one mailbox',
          value: floodAnswers.filter(({ status }) => status === 200).length,
          unit: '',
        }),
        atLeast(1, {
          figure: 'refused requests for mails',
          value: floodAnswers.filter(({ status }) => status === 429).length,
          unit: '',
        }),
      ];
    } finally {
      await site.close();
    }
  },
};
