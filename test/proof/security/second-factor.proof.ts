import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, atMost } from '../../bench/goals.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import { startIssuer } from '../../support/oidc-issuer.ts';
import { freePort, start, temporaryDirectory } from '../../support/process.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { countSignedIn, openBrowserSession, type ProofBrowser } from './browser-session.ts';
import { type DemoPerson, runCommand, seedOrganizations, signInWith } from './demo-people.ts';
import { codeAt } from './totp-code.ts';

type Mailbox = Awaited<ReturnType<typeof receiveMail>>;
type OidcIssuer = Awaited<ReturnType<typeof startIssuer>>;
type SignInSite = { origin: string; mail: Mailbox; issuer: OidcIssuer };

const mailMsMax = 5_000;
const guessCount = 15;
const guessesMax = 10;

export const proof: Proof = {
  claim:
    'No way to sign in opens an account without its second factor, and an organization and the platform can require one',
  long: true,
  async measure({ log }) {
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
    await runCommand('src/commands/support.ts', settings, [
      'grant',
      support.email,
      '--trust-address',
    ]);
    const server = await start(settings);
    try {
      const site = { origin, mail, issuer };
      const findings = [
        ...(await checkWaysToSignIn(site, administrator, log)),
        ...(await checkRequirements(site, { support, colleague, organizationId: first.id })),
      ];
      for (const { figure, ...rest } of findings)
        log(`${figure}: ${'value' in rest ? rest.value : rest.skipped}`);
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
 * Sets up an authenticator app in a new session. Versions without that mutation get a made-up
 * secret.
 */
async function enroll(person: DemoPerson, origin: string) {
  const browser = await signInWith(person, origin);
  const { data } = await browser.graph(
    'mutation { startAuthenticatorApp(input: {}) { authenticatorApp { secret } } }',
  );
  const secret = String(
    Object(Object(data['startAuthenticatorApp'])['authenticatorApp'])['secret'] ?? 'A'.repeat(32),
  );
  const confirmed = await browser.graph(
    'mutation ($code: String!) { confirmAuthenticatorApp(input: { code: $code }) { recoveryCodes } }',
    { code: codeAt(secret, -1) },
  );
  const codes = Object(confirmed.data['confirmAuthenticatorApp'])['recoveryCodes'];
  return { browser, secret, recoveryCodes: Array.isArray(codes) ? codes.map(String) : [] };
}

/** Browsers that have completed the first step of each way to sign in. */
async function completeFirstSteps(person: DemoPerson, { origin, mail, issuer }: SignInSite) {
  const { email } = person;
  const tokenFromMail = async (page: string): Promise<string | undefined> => {
    const findMail = () =>
      mail.mails.find(
        ({ text, to }) => text?.includes(page) && to?.some(({ address }) => address === email),
      );
    for (let waitedMs = 0; !findMail() && waitedMs < mailMsMax; waitedMs += 100) await pause(100);
    const received = findMail();
    return received && (linkIn(received).searchParams.get('token') ?? undefined);
  };
  const byLink = openBrowserSession(origin);
  await byLink.post('/auth/send-verification-email', { email });
  // A verified address gets no confirmation link.
  const confirmation = await tokenFromMail('/auth/verify?');
  if (confirmation !== undefined) await byLink.post('/auth/verify-email', { token: confirmation });

  const bySite = openBrowserSession(origin);
  const started = await bySite.post('/auth/sign-in/provider', { provider: 'oidc' });
  const redirect = issuer.signIn(new URL(String(started.body['url'])), {
    sub: email,
    email,
    email_verified: true,
  });
  await bySite.send('GET', redirect.pathname + redirect.search);

  const byReset = openBrowserSession(origin);
  await byReset.post('/auth/request-password-reset', { email });
  await byReset.post('/auth/reset-password', {
    token: await tokenFromMail('/auth/reset?'),
    password: person.password,
  });
  return [
    await signInWith(person, origin),
    ...(confirmation === undefined ? [] : [byLink]),
    bySite,
    byReset,
  ];
}

async function checkWaysToSignIn(
  site: SignInSite,
  person: DemoPerson,
  log: (line: string) => void,
): Promise<ProofFinding[]> {
  const { secret, recoveryCodes } = await enroll(person, site.origin);
  log(`${recoveryCodes.length} recovery codes`);
  const browsers = await completeFirstSteps(person, site);
  const withoutFactor = await countSignedIn(browsers);
  const verify = (browser: ProofBrowser | undefined, code: string) =>
    browser?.post('/auth/second-factor/verify', { code });
  const code = codeAt(secret);
  const [first, ...others] = browsers;
  await verify(first, code);
  for (const [index, browser] of others.entries())
    await verify(browser, recoveryCodes[index] ?? '');
  const withFactor = await countSignedIn(browsers);

  const used = [code, recoveryCodes[0] ?? ''];
  const replayBrowsers = await Promise.all(
    used.map(async (usedCode) => [await signInWith(person, site.origin), usedCode] as const),
  );
  await Promise.all(replayBrowsers.map(([browser, usedCode]) => verify(browser, usedCode)));
  const replayedCount = await countSignedIn(replayBrowsers.map(([browser]) => browser));

  const guessingBrowser = await signInWith(person, site.origin);
  const statuses = [];
  for (let guess = 0; guess < guessCount; guess += 1)
    statuses.push((await verify(guessingBrowser, String(guess).padStart(6, '0')))?.status);
  return [
    exactlyZero(
      'ways to sign in (password, confirmation link, identity provider, new password) that work without the second factor',
      withoutFactor,
    ),
    atLeast(browsers.length, {
      figure: 'of those, that work with the second factor',
      value: recoveryCodes.length > 0 ? withFactor : 0,
      unit: '',
    }),
    exactlyZero('codes and recovery codes that work a second time', replayedCount),
    atMost(guessesMax, {
      figure: `of ${guessCount} guesses, those that were compared`,
      value: statuses.filter((status) => status !== 429).length,
      unit: '',
    }),
  ];
}

type RequirementPeople = { support: DemoPerson; colleague: DemoPerson; organizationId: string };

const supportMutation =
  'mutation ($id: ID!) { result: setOrganizationTerms(input: { organizationId: $id, seatLimit: 50 }) { organizationId } }';
const memberQuery = '{ result: organization { id } }';
const countAnswered = ({ data }: { data: Record<string, unknown> }) => (data['result'] ? 1 : 0);

async function checkRequirements(
  { origin }: SignInSite,
  { support, colleague, organizationId }: RequirementPeople,
): Promise<ProofFinding[]> {
  const withoutFactor = countAnswered(
    await (await signInWith(support, origin)).graph(supportMutation, { id: organizationId }),
  );
  const { browser: supporter } = await enroll(support, origin);
  const withFactor = countAnswered(await supporter.graph(supportMutation, { id: organizationId }));

  // The supporter is also the administrator of the second organization.
  await supporter.graph(
    'mutation { setSecondFactorPolicy(input: { policy: EVERYBODY }) { organization { secondFactorPolicy } } }',
  );
  const memberWithoutFactor = countAnswered(
    await (await signInWith(colleague, origin)).graph(memberQuery),
  );
  const memberWithFactor = countAnswered(
    await (await enroll(colleague, origin)).browser.graph(memberQuery),
  );
  return [
    exactlyZero('actions of platform support without a second factor', withoutFactor),
    atLeast(1, {
      figure: 'actions of platform support with a second factor',
      value: withFactor,
      unit: '',
    }),
    exactlyZero(
      'answers to a member without a second factor in an organization that requires it',
      memberWithoutFactor,
    ),
    atLeast(1, {
      figure: 'answers to the same member with a second factor',
      value: memberWithFactor,
      unit: '',
    }),
  ];
}
