import { atLeast } from '../../bench/goals.ts';
import { migratedDirectory } from '../../support/embedded-template.ts';
import { receiveMail } from '../../support/mail.ts';
import { startIssuer } from '../../support/oidc-issuer.ts';
import { freePort, type Running, start } from '../../support/process.ts';
import { readKeys } from '../faults/load/load.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import {
  type Mailbox,
  manage,
  nextLink,
  openBrowser,
  ownPassword,
  strangersPassword,
} from './people.ts';

type Issuer = Awaited<ReturnType<typeof startIssuer>>;
const victims = {
  fresh: 'new@victim.example',
  made: 'made@victim.example',
  sso: 'sso@victim.example',
};

export const proof: Proof = {
  claim:
    'A password that a stranger chose for somebody else’s address never works, whatever the owner of the mailbox does with the link',
  async attempt({ say }) {
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
      return await attack(running, mail, issuer, say);
    } finally {
      running.process.kill('SIGKILL');
      await running.ended;
      await mail.close();
      await issuer.close();
      directory.remove();
    }
  },
};

async function attack(
  running: Running,
  mail: Mailbox,
  issuer: Issuer,
  say: (line: string) => void,
): Promise<Finding[]> {
  const { organizationKey } = await readKeys(running, running.output());
  const created = await manage(running, organizationKey, '/users', { email: victims.made });
  if (created !== 200) throw new Error(`POST /users answered ${created}`);
  const employee = openBrowser(running);
  await signInThere(employee, issuer);
  if (!(await employee.isSignedIn())) throw new Error('the sign-in with the other site failed');

  let accepted = 0;
  let claimed = 0;
  for (const email of Object.values(victims)) {
    const stranger = openBrowser(running);
    await stranger.signUp(email, strangersPassword, 'Mallory');
    const link = await nextLink(mail, email);
    const victim = openBrowser(running);
    // The owner of the mailbox opens the link, and then chooses a password if the page asks for
    // one.
    if (link) await victim.openLink(link);
    if ((await stranger.signIn(email, strangersPassword)).status === 200) accepted += 1;
    if (link) await victim.openLink(link, { password: ownPassword, firstName: 'Victoria' });
    const strangerIsIn = (await stranger.signIn(email, strangersPassword)).status === 200;
    const ownerIsIn = (await openBrowser(running).signIn(email, ownPassword)).status === 200;
    if (ownerIsIn && !strangerIsIn) claimed += 1;
    say(
      `${email}: ${link ? 'a link' : 'no link'}, stranger ${strangerIsIn ? 'in' : 'out'}, owner by a password of their own ${ownerIsIn ? 'in' : 'out'}`,
    );
  }

  const honest = openBrowser(running);
  await honest.signUp('honest@victim.example', ownPassword);
  const link = await nextLink(mail, 'honest@victim.example');
  const finished =
    link && (await honest.openLink(link)).body['signedIn'] === true && (await honest.isSignedIn());
  return [
    none(
      'of 3 addresses (new, made by an organization, single sign-on only): passwords of a stranger that work',
      accepted,
    ),
    atLeast(2, {
      figure:
        'of 2 addresses without credentials: claimed by the mailbox’s owner with a password of their own',
      value: claimed,
      unit: '',
    }),
    atLeast(1, {
      figure:
        'of 1 honest sign-up: finished in the browser that began it, without a second password',
      value: finished ? 1 : 0,
      unit: '',
    }),
  ];
}

async function signInThere(browser: ReturnType<typeof openBrowser>, issuer: Issuer): Promise<void> {
  const { body } = await browser.post('/auth/sign-in/provider', { provider: 'oidc' });
  const claims = {
    sub: 'employee',
    email: victims.sso,
    email_verified: true,
    given_name: 'Sophie',
  };
  await browser.follow(issuer.signIn(new URL(String(body['url'])), claims));
}
