import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../src/platform/public-address/is-public-address.ts';
import {
  type PublicRequestOptions,
  postToPublicAddress,
} from '../../../src/platform/public-address/post-to-public-address.ts';
import {
  hasOpenssl,
  makeCertificate,
  type Receiver,
  startProxy,
  startReceiver,
} from '../../support/public-receiver.ts';

const host = 'hooks.example.com';
const certificate = hasOpenssl ? makeCertificate(host) : { key: '', cert: '' };
if (!hasOpenssl)
  process.stderr.write(
    'Skipped: requests to addresses from customers, because openssl is not installed.\n',
  );
let receiver: Receiver;
let proxy: Awaited<ReturnType<typeof startProxy>>;

beforeAll(async () => {
  receiver = await startReceiver((request, response) => {
    if (request.url === '/silent') return;
    if (request.url === '/large') return response.end('x'.repeat(100_000));
    if (request.url === '/moved')
      return response.writeHead(302, { location: `https://127.0.0.1:${receiver.port}/` }).end();
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () =>
      response.writeHead(202).end(`${request.method} ${request.headers.host} ${body}`),
    );
  }, certificate);
  proxy = await startProxy(
    new Map([
      [`${host}:443`, receiver.port],
      ['other.example.com:443', receiver.port],
    ]),
  );
});

afterAll(async () => {
  await proxy.close();
  await receiver.close();
});

const post = (
  url: string,
  options: PublicRequestOptions = {},
  signal = new AbortController().signal,
) =>
  postToPublicAddress(
    url,
    { headers: { 'x-test': 'a' }, body: 'hello', signal, maxResponseBytes: 1_000 },
    { ca: certificate.cert, ...options },
  );
const resolveTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const byProxy = () => ({ proxyUrl: `http://a:b@127.0.0.1:${proxy.port}` });

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '100.63.255.255',
    '172.32.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.255', '168.63.129.16'],
    ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1'],
    ...['192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
    ...['240.0.0.1', '255.255.255.255', '::', '::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1'],
    ...['fe80::1%eth0', '2606:4700::1111%eth0', 'fec0::1', 'ff02::1', '::ffff:8.8.8.8'],
    ...['::ffff:10.0.0.1', '::10.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::a00:1', '2001::1'],
    ...['2001:db8::1', '2002:a00:1::', '3fff::1', '100::1', '5f00::1', 'localhost', ''],
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe.skipIf(!hasOpenssl)('postToPublicAddress', () => {
  it.each([
    ['nonsense', 'INVALID_URL'],
    ['http://hooks.example.com/', 'SCHEME_NOT_ALLOWED'],
    ['file:///etc/passwd', 'SCHEME_NOT_ALLOWED'],
    ['https://ada@hooks.example.com/', 'USERINFO_NOT_ALLOWED'],
    ['https://:secret@hooks.example.com/', 'USERINFO_NOT_ALLOWED'],
    ['https://hooks.example.com:22/', 'PORT_NOT_ALLOWED'],
    ['https://hooks.example.com:80/', 'PORT_NOT_ALLOWED'],
    ['https://hooks.example.com:6443/', 'PORT_NOT_ALLOWED'],
    ['https://2130706433/', 'NO_PUBLIC_ADDRESS'],
    ['https://0x7f000001/', 'NO_PUBLIC_ADDRESS'],
    ['https://0177.0.0.1/', 'NO_PUBLIC_ADDRESS'],
    ['https://127.1/', 'NO_PUBLIC_ADDRESS'],
    ['https://[::ffff:127.0.0.1]/', 'NO_PUBLIC_ADDRESS'],
    ['https://localhost/', 'NO_PUBLIC_ADDRESS'],
    ['https://hooks.localhost./', 'NO_PUBLIC_ADDRESS'],
    ['https://intranet/', 'NO_PUBLIC_ADDRESS'],
    ['https://printer.local/', 'NO_PUBLIC_ADDRESS'],
    ['https://metadata.google.internal/', 'NO_PUBLIC_ADDRESS'],
    ['https://router.home.arpa/', 'NO_PUBLIC_ADDRESS'],
  ])('%s is refused as %s before the name is resolved', async (url, reason) => {
    const resolveHost = () => Promise.reject(new Error('resolved'));
    await expect(post(url, { resolveHost })).rejects.toMatchObject({
      name: 'PublicAddressError',
      reason,
    });
    await expect(post(url, byProxy())).rejects.toMatchObject({ reason });
  });

  it('a name with one private address among public ones is refused like an unknown name', async () => {
    const url = `https://${host}:${receiver.port}/`;
    const failure = { reason: 'NO_PUBLIC_ADDRESS' };
    const before = receiver.connections();
    await expect(
      post(url, { resolveHost: resolveTo('8.8.8.8', '127.0.0.1') }),
    ).rejects.toMatchObject(failure);
    await expect(post(url, { resolveHost: resolveTo() })).rejects.toMatchObject(failure);
    await expect(
      post(url, { resolveHost: () => Promise.reject(new Error('ENOTFOUND')) }),
    ).rejects.toMatchObject(failure);
    expect(receiver.connections()).toBe(before);
  });

  it('the connection goes to the address that was checked when DNS changes its answer', async () => {
    const other = await startReceiver(
      (_, response) => response.end('wrong'),
      certificate,
      '127.0.0.2',
    );
    const answers = ['127.0.0.1', '127.0.0.2'];
    const resolveHost = async () => [{ address: answers.shift() ?? '127.0.0.2', family: 4 }];
    try {
      const options = { allowLoopback: true, resolveHost };
      const { status, body } = await post(`https://${host}:${receiver.port}/`, options);
      expect([status, body.toString()]).toEqual([202, `POST ${host}:${receiver.port} hello`]);
      expect([answers.length, other.connections()]).toEqual([1, 0]);
    } finally {
      await other.close();
    }
  });

  it('a certificate of another name or of an unknown authority is refused', async () => {
    const options = { allowLoopback: true, resolveHost: resolveTo('127.0.0.1') };
    const failure = { reason: 'TLS_FAILED' };
    const { port } = receiver;
    await expect(post(`https://wrong.example.com:${port}/`, options)).rejects.toMatchObject(
      failure,
    );
    await expect(post(`https://127.0.0.1:${port}/`, options)).rejects.toMatchObject(failure);
    await expect(
      post(`https://${host}:${port}/`, { ...options, ca: undefined }),
    ).rejects.toMatchObject(failure);
  });

  it('with a proxy the proxy connects, and the certificate is still verified', async () => {
    const { status, body } = await post(`https://${host}/`, byProxy());
    expect([status, body.toString()]).toEqual([202, `POST ${host} hello`]);
    expect(proxy.requests.at(-1)).toEqual({
      authority: `${host}:443`,
      authorization: `Basic ${Buffer.from('a:b').toString('base64')}`,
    });
    await expect(post('https://other.example.com/', byProxy())).rejects.toMatchObject({
      reason: 'TLS_FAILED',
    });
    await expect(post('https://refused.example.com/', byProxy())).rejects.toMatchObject({
      reason: 'PROXY_FAILED',
    });
  });

  it('a redirect is an answer and is not followed', async () => {
    const before = receiver.connections();
    expect(await post(`https://${host}/moved`, byProxy())).toMatchObject({ status: 302 });
    expect(receiver.connections()).toBe(before + 1);
  });

  it('no more of an answer is kept than was asked for', async () => {
    const { status, body } = await post(`https://${host}/large`, byProxy());
    expect([status, body.length]).toEqual([200, 1_000]);
  });

  it('the signal ends a request whose receiver or DNS does not answer', async () => {
    const late = { reason: 'TIMED_OUT' };
    await expect(
      post(`https://${host}/silent`, byProxy(), AbortSignal.timeout(200)),
    ).rejects.toMatchObject(late);
    const resolveHost = () => new Promise<never>(() => {});
    await expect(
      post(`https://${host}/`, { resolveHost }, AbortSignal.timeout(50)),
    ).rejects.toMatchObject(late);
    const stopped = new Error('stopped');
    await expect(post(`https://${host}/`, {}, AbortSignal.abort(stopped))).rejects.toBe(stopped);
  });

  it('an answer that is not HTTP is refused', async () => {
    const broken = await startReceiver((request) => request.socket.end('nonsense\r\n\r\n'));
    try {
      await expect(
        post(`http://127.0.0.1:${broken.port}/`, { allowLoopback: true }),
      ).rejects.toMatchObject({ reason: 'RESPONSE_INVALID' });
    } finally {
      await broken.close();
    }
  });
});
