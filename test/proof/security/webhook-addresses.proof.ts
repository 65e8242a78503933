import { postToPublicAddress } from '../../../src/platform/public-address/post-to-public-address.ts';
import { atLeast } from '../../bench/goals.ts';
import {
  hasOpenssl,
  makeCertificate,
  startProxy,
  startReceiver,
} from '../../support/public-receiver.ts';
import { exactlyZero, type Proof } from '../proof.ts';

const host = 'hooks.example.com';
const timeoutMs = 2_000;

export const proof: Proof = {
  claim:
    'An address from a customer, in whatever form and with whatever DNS answers, leads to no connection into the internal network, and a public receiver is reached',
  async measure({ log }) {
    if (!hasOpenssl)
      return [{ figure: 'addresses of customers', skipped: 'openssl is not installed' }];
    const certificate = makeCertificate(host);
    // A service of the internal network. It listens on all addresses of this machine.
    const internal = await startReceiver(
      (_, response) => response.end('internal'),
      certificate,
      '::',
    );
    const redirecting = await startReceiver((_, response) => {
      response.writeHead(307, { location: `https://127.0.0.1:${internal.port}/` }).end();
    }, certificate);
    const proxy = await startProxy(new Map([[`${host}:443`, redirecting.port]]));
    const send = (url: string, options: Parameters<typeof postToPublicAddress>[2] = {}) =>
      postToPublicAddress(
        url,
        {
          headers: {},
          body: '{}',
          signal: AbortSignal.timeout(timeoutMs),
          maxResponseBytes: 1_000,
        },
        { ca: certificate.cert, ...options },
      );
    try {
      const { port } = internal;
      let answers = 0;
      for (const form of addressForms)
        await send(`https://${form}:${port}/`).then(
          () => {
            answers += 1;
            log(`answered: ${form}`);
          },
          () => undefined,
        );
      for (const address of privateAddresses)
        for (const before of [[], ['192.0.2.1'], ['8.8.8.8']])
          await send(`https://${host}:${port}/`, {
            resolveHost: async () => [...before, address].map(toLookupAddress),
          }).then(
            () => {
              answers += 1;
              log(`answered: a name with ${address}`);
            },
            () => undefined,
          );
      let resolutions = 0;
      // The first answer is public and answers nothing here; later ones are internal.
      await send(`https://${host}:${port}/`, {
        resolveHost: async () => {
          resolutions += 1;
          return [toLookupAddress(resolutions === 1 ? '8.8.8.8' : '127.0.0.1')];
        },
      }).catch(() => undefined);
      const proxied = await send(`https://${host}/`, {
        proxyUrl: `http://127.0.0.1:${proxy.port}`,
      });
      return [
        exactlyZero('connections into the internal network', internal.connections()),
        exactlyZero('answers to addresses of the internal network', answers),
        exactlyZero('repeated resolutions of a name after its check', resolutions - 1),
        atLeast(1, {
          figure: 'public receivers that were reached',
          value: proxied.status === 307 ? 1 : 0,
          unit: '',
        }),
      ];
    } finally {
      await Promise.all([proxy.close(), internal.close(), redirecting.close()]);
    }
  },
};

const privateAddresses = [
  ...['127.0.0.1', '127.8.9.10', '0.0.0.0', '10.0.0.1', '169.254.169.254', '192.168.0.1'],
  ...['100.64.0.1', '::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1'],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '2001::7f00:1',
    'fe80::1',
    'fd00::1',
  ],
];

/** Loopback as a URL can write it, names of it, and attempts to mislead the parser. */
const addressForms = [
  ...privateAddresses.map((address) => (address.includes(':') ? `[${address}]` : address)),
  ...['2130706433', '0x7f000001', '017700000001', '0177.0.0.1', '0x7f.1', '127.1', '0'],
  ...['127.0.0.1.', '１２７.0.0.1', '127。0。0。1', 'localhost', 'LOCALHOST.'],
  ...['8.8.8.8@127.0.0.1', 'user:password@127.0.0.1', '8.8.8.8\\@127.0.0.1', '127.0.0.1#@8.8.8.8'],
  ...['[0:0:0:0:0:0:0:1]', '[::1%25lo]'],
];

const toLookupAddress = (address: string) => ({ address, family: address.includes(':') ? 6 : 4 });
