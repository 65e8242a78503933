import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, atMost } from '../../bench/goals.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import { startIssuer } from '../../support/oidc-issuer.ts';
import { freePort, start, temporaryDirectory } from '../../support/process.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import { browserAt, type ProofBrowser } from './browser-at.ts';
import { outputOf, type Person, seedOrganizations, signInWith } from './demo-people.ts';
import { codeAt } from './totp-code.ts';

type Mailbox = Awaited<ReturnType<typeof receiveMail>>;
type Issuer = Awaited<ReturnType<typeof startIssuer>>;
type Site = { origin: string; mail: Mailbox; issuer: Issuer };

const mailMsMax = 5_000;
const guesses = 15;
const guessesMax = 10;

export const proof: Proof = {
  claim:
    'no way of signing in opens an account with a second factor before that factor, and an organization and the platform can require one',
  long: true,
  async attempt({ say }) {
    const [mail, issuer, directory, port] = [
      await receiveMail(),
      await startIssuer(),
      temporaryDirectory(),
      String(await freePort()),
    ];
    const origin = `http://127.0.0.1:${port}`;
    const provider = {
      clientId: 'atrium',
      clientSecret: 'a-client-secret',
      issuer: issuer.issuer,
      name: 'Example',
    };
    const settings = {
      ...mail.settings,
      DATA_DIR: directory.path,
      PORT: port,
      ORIGIN: origin,
      SIGN_IN_PROVIDERS: JSON.stringify({ oidc: provider }),
    };
    const [first, second] = await seedOrganizations(settings);
    const [administrator] = first?.users ?? [];
    const [support, colleague] = second?.users ?? [];
    if (!first || !administrator || !support || !colleague)
      throw new Error('the demo has too few people');
    await outputOf('src/support.ts', settings, ['grant', support.email, '--trust-address']);
    const server = await start(settings);
    try {
      const site = { origin, mail, issuer };
      const findings = [
        ...(await waysIn(site, administrator, say)),
        ...(await requirements(site, { support, colleague, organizationId: first.id })),
      ];
      for (const { figure, ...rest } of findings)
        say(`${figure}: ${'value' in rest ? rest.value : rest.leftOut}`);
      return findings;
    } finally {
      server.process.kill('SIGTERM');
      await server.ended;
      await mail.close();
      await issuer.close();
      directory.remove();
    }
  },
};

/**
 * Sets up an authenticator app in a new session. Without such a call, as before there was one, the
 * secret is a made-up one.
 */
async function enroll(person: Person, origin: string) {
  const browser = await signInWith(person, origin);
  const { data } = await browser.graph('mutation { startAuthenticatorApp { secret } }');
  const secret = String(Object(data['startAuthenticatorApp'])['secret'] ?? 'A'.repeat(32));
  const confirmed = await browser.graph(
    'mutation ($code: String!) { confirmAuthenticatorApp(code: $code) }',
    { code: codeAt(secret, -1) },
  );
  const codes = confirmed.data['confirmAuthenticatorApp'];
  return { browser, secret, recoveryCodes: Array.isArray(codes) ? codes.map(String) : [] };
}

/** The browsers in which the first step of each way of signing in is done. */
async function firstSteps(person: Person, { origin, mail, issuer }: Site) {
  const { email } = person;
  const linkOf = async (page: string): Promise<string | undefined> => {
    const found = () =>
      mail.mails.find(
        ({ text, to }) => text?.includes(page) && to?.some(({ address }) => address === email),
      );
    for (let waited = 0; !found() && waited < mailMsMax; waited += 100) await pause(100);
    const received = found();
    return received && (linkIn(received).searchParams.get('token') ?? undefined);
  };
  const byLink = browserAt(origin);
  await byLink.post('/auth/send-verification-email', { email });
  // A proven address gets no such link.
  const confirmation = await linkOf('/auth/verify?');
  if (confirmation !== undefined) await byLink.post('/auth/verify-email', { token: confirmation });

  const bySite = browserAt(origin);
  const begun = await bySite.post('/auth/sign-in/provider', { provider: 'oidc' });
  const back = issuer.signIn(new URL(String(begun.body['url'])), {
    sub: email,
    email,
    email_verified: true,
  });
  await bySite.send('GET', back.pathname + back.search);

  const byReset = browserAt(origin);
  await byReset.post('/auth/request-password-reset', { email });
  await byReset.post('/auth/reset-password', {
    token: await linkOf('/auth/reset?'),
    password: person.password,
  });
  return [
    await signInWith(person, origin),
    ...(confirmation === undefined ? [] : [byLink]),
    bySite,
    byReset,
  ];
}

async function waysIn(site: Site, person: Person, say: (line: string) => void): Promise<Finding[]> {
  const { secret, recoveryCodes } = await enroll(person, site.origin);
  say(`${recoveryCodes.length} recovery codes`);
  const browsers = await firstSteps(person, site);
  const early = await signedIn(browsers);
  const verify = (browser: ProofBrowser | undefined, code: string) =>
    browser?.post('/auth/second-factor/verify', { code });
  const code = codeAt(secret);
  const [first, ...others] = browsers;
  await verify(first, code);
  for (const [index, browser] of others.entries())
    await verify(browser, recoveryCodes[index] ?? '');
  const late = await signedIn(browsers);

  const used = [code, recoveryCodes[0] ?? ''];
  const again = await Promise.all(
    used.map(async (known) => [await signInWith(person, site.origin), known] as const),
  );
  await Promise.all(again.map(([browser, known]) => verify(browser, known)));
  const replayed = await signedIn(again.map(([browser]) => browser));

  const guessing = await signInWith(person, site.origin);
  const statuses = [];
  for (let guess = 0; guess < guesses; guess += 1)
    statuses.push((await verify(guessing, String(guess).padStart(6, '0')))?.status);
  return [
    none(
      'ways of signing in (password, confirmation link, another site, new password) that open the account without the second factor',
      early,
    ),
    atLeast(browsers.length, {
      figure: 'of them that open it with the second factor',
      value: recoveryCodes.length > 0 ? late : 0,
      unit: '',
    }),
    none('codes and recovery codes that work a second time', replayed),
    atMost(guessesMax, {
      figure: `of ${guesses} guesses that are compared`,
      value: statuses.filter((status) => status !== 429).length,
      unit: '',
    }),
  ];
}

async function signedIn(browsers: readonly ProofBrowser[]): Promise<number> {
  return (await Promise.all(browsers.map((browser) => browser.personId()))).filter(
    (id) => id !== undefined,
  ).length;
}

type People = { support: Person; colleague: Person; organizationId: string };

const act =
  'mutation ($id: ResourceId!) { result: setOrganizationTerms(organizationId: $id, seatLimit: 50) { success } }';
const work = '{ result: organization { id } }';
const answered = ({ data }: { data: Record<string, unknown> }) => (data['result'] ? 1 : 0);

async function requirements(
  { origin }: Site,
  { support, colleague, organizationId }: People,
): Promise<Finding[]> {
  const early = answered(
    await (await signInWith(support, origin)).graph(act, { id: organizationId }),
  );
  const { browser: supporter } = await enroll(support, origin);
  const late = answered(await supporter.graph(act, { id: organizationId }));

  // The supporter is also the administrator of an organization of their own.
  await supporter.graph(
    'mutation { setSecondFactorPolicy(policy: EVERYBODY) { secondFactorPolicy } }',
  );
  const refused = answered(await (await signInWith(colleague, origin)).graph(work));
  const admitted = answered(await (await enroll(colleague, origin)).browser.graph(work));
  return [
    none('acts of platform support without a second factor', early),
    atLeast(1, { figure: 'acts of platform support with one', value: late, unit: '' }),
    none(
      'answers to a member without a second factor in an organization that requires it',
      refused,
    ),
    atLeast(1, { figure: 'answers to the same member with one', value: admitted, unit: '' }),
  ];
}
