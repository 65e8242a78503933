import { atLeast } from '../../bench/goals.ts';
import { migratedDirectory } from '../../support/embedded-template.ts';
import { receiveMail } from '../../support/mail.ts';
import { startIssuer } from '../../support/oidc-issuer.ts';
import { freePort, type RunningServer, start } from '../../support/process.ts';
import { readKeys } from '../faults/load/mixed-load.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import {
  type Mailbox,
  manage,
  nextLink,
  openBrowser,
  ownPassword,
  strangersPassword,
} from './browser.ts';

type OidcIssuer = Awaited<ReturnType<typeof startIssuer>>;
const victims = {
  fresh: 'new@victim.example',
  made: 'made@victim.example',
  sso: 'sso@victim.example',
};

export const proof: Proof = {
  claim:
    'A password that a stranger chose for another person’s address never works, whatever the owner of the mailbox does with the link',
  async measure({ log }) {
    const directory = await migratedDirectory();
    const [mail, issuer, port] = [await receiveMail(), await startIssuer(), await freePort()];
    const oidc = {
      clientId: 'atrium',
      clientSecret: 'a-client-secret',
      issuer: issuer.issuer,
      name: 'Example',
    };
    const site = {
      PORT: String(port),
      ORIGIN: `http://127.0.0.1:${port}`,
      SIGN_IN_PROVIDERS: JSON.stringify({ oidc }),
    };
    const running = await start(
      { DATA_DIR: directory.path, EMAIL_VERIFICATION: 'required', ...site, ...mail.settings },
      ['api'],
    );
    try {
      return await runAttack(running, mail, issuer, log);
    } finally {
      running.process.kill('SIGKILL');
      await running.ended;
      await mail.close();
      await issuer.close();
      directory.remove();
    }
  },
};

async function runAttack(
  running: RunningServer,
  mail: Mailbox,
  issuer: OidcIssuer,
  log: (line: string) => void,
): Promise<ProofFinding[]> {
  const { organizationKey } = await readKeys(running, running.output());
  const createStatus = await manage(running, organizationKey, '/users', { email: victims.made });
  if (createStatus !== 200) throw new Error(`POST /users answered ${createStatus}`);
  const employee = openBrowser(running);
  await signInAtProvider(employee, issuer);
  if (!(await employee.isSignedIn()))
    throw new Error('the sign-in with the identity provider failed');

  let acceptedCount = 0;
  let claimedCount = 0;
  for (const email of Object.values(victims)) {
    const stranger = openBrowser(running);
    await stranger.signUp(email, strangersPassword, 'Mallory');
    const link = await nextLink(mail, email);
    const victim = openBrowser(running);
    // The owner of the mailbox opens the link, and chooses a password if the page asks for one.
    if (link) await victim.openLink(link);
    if ((await stranger.signIn(email, strangersPassword)).status === 200) acceptedCount += 1;
    if (link) await victim.openLink(link, { password: ownPassword, firstName: 'Victoria' });
    const isStrangerSignedIn = (await stranger.signIn(email, strangersPassword)).status === 200;
    const isOwnerSignedIn = (await openBrowser(running).signIn(email, ownPassword)).status === 200;
    if (isOwnerSignedIn && !isStrangerSignedIn) claimedCount += 1;
    log(
      `${email}: ${link ? 'a link' : 'no link'}, stranger ${isStrangerSignedIn ? 'signed in' : 'refused'}, owner with their own password ${isOwnerSignedIn ? 'signed in' : 'refused'}`,
    );
  }

  const honestBrowser = openBrowser(running);
  await honestBrowser.signUp('honest@victim.example', ownPassword);
  const link = await nextLink(mail, 'honest@victim.example');
  const isFinished =
    link &&
    (await honestBrowser.openLink(link)).body['signedIn'] === true &&
    (await honestBrowser.isSignedIn());
  return [
    exactlyZero(
      'of 3 addresses (new, created by an organization, single sign-on only), those where a stranger’s password works',
      acceptedCount,
    ),
    atLeast(2, {
      figure:
        'of 2 addresses without credentials, those that the mailbox’s owner claimed with their own password',
      value: claimedCount,
      unit: '',
    }),
    atLeast(1, {
      figure:
        'of 1 honest sign-up, those finished in the browser that began it, without a second password',
      value: isFinished ? 1 : 0,
      unit: '',
    }),
  ];
}

async function signInAtProvider(
  browser: ReturnType<typeof openBrowser>,
  issuer: OidcIssuer,
): Promise<void> {
  const { body } = await browser.post('/auth/sign-in/provider', { provider: 'oidc' });
  const claims = {
    sub: 'employee',
    email: victims.sso,
    email_verified: true,
    given_name: 'Sophie',
  };
  await browser.follow(issuer.signIn(new URL(String(body['url'])), claims));
}
