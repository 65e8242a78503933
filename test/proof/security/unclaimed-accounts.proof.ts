import { atLeast } from '../../bench/goals.ts';
import { migratedDirectory } from '../../support/embedded-template.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import { type Running, start } from '../../support/process.ts';
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

const invitation =
  'mutation ($email: EmailAddress!) { inviteMember(email: $email, role: MEMBER) { isMailed } }';

export const proof: Proof = {
  claim:
    'An account whose address nobody has proven owns nothing: what an organization gives to the address is for the owner of its mailbox',
  async attempt({ say }) {
    const directory = await migratedDirectory();
    const mail = await receiveMail();
    const running = await start(
      { DATA_DIR: directory.path, EMAIL_VERIFICATION: 'off', ...mail.settings },
      ['api'],
    );
    try {
      return [
        ...(await provisioned(running, say)),
        ...(await claimed(running, mail)),
        ...(await madeFirst(running, mail)),
      ];
    } finally {
      running.process.kill('SIGKILL');
      await running.ended;
      await mail.close();
      directory.remove();
    }
  },
};

/** A stranger registers an address; later the address's employer brings it in. */
async function provisioned(running: Running, say: (line: string) => void): Promise<Finding[]> {
  const {
    organizationKey,
    email: administratorEmail,
    password,
  } = await readKeys(running, running.output());
  const administrator = openBrowser(running);
  await administrator.signIn(administratorEmail, password);
  const ways = {
    users: (email: string) => manage(running, organizationKey, '/users', { email }),
    'users-add': (email: string) => manage(running, organizationKey, '/users/add', { email }),
    invitation: async (email: string) =>
      (await administrator.post('/graphql', { query: invitation, variables: { email } })).status,
  };
  let sessions = 0;
  let passwords = 0;
  for (const [name, bringIn] of Object.entries(ways)) {
    const email = `newhire-${name}@partner.example`;
    const stranger = openBrowser(running);
    await stranger.signUp(email, strangersPassword);
    const status = await bringIn(email);
    if (status !== 200) throw new Error(`${name} answered ${status}`);
    const [isIn, signIn] = [
      await stranger.isSignedIn(),
      await openBrowser(running).signIn(email, strangersPassword),
    ];
    say(
      `${name}: the stranger's session ${isIn ? 'goes on' : 'has ended'}, the password answers ${signIn.status}`,
    );
    if (isIn) sessions += 1;
    if (signIn.status === 200) passwords += 1;
  }
  return [
    none('of 3 provisioned addresses: sessions of a stranger that go on', sessions),
    none('of 3 provisioned addresses: passwords of a stranger that work', passwords),
  ];
}

/** The owner of the mailbox proves it while a stranger is signed in to the account. */
async function claimed(running: Running, mail: Mailbox): Promise<Finding[]> {
  const email = 'owner@claimed.example';
  const stranger = openBrowser(running);
  await stranger.signUp(email, strangersPassword);
  await stranger.post('/auth/send-verification-email', { email });
  const link = linkIn(await mail.next(email));
  const owner = openBrowser(running);
  await owner.openLink(link);
  await owner.openLink(link, { password: ownPassword, firstName: 'Olivia' });
  const left = [
    await stranger.isSignedIn(),
    (await openBrowser(running).signIn(email, strangersPassword)).status === 200,
  ];
  return [
    none(
      'ways in that a stranger keeps after the mailbox’s owner has claimed the account',
      left.filter(Boolean).length,
    ),
  ];
}

/**
 * An organization made the account; then a stranger, and then the owner, sign up with the address.
 */
async function madeFirst(running: Running, mail: Mailbox): Promise<Finding[]> {
  const email = 'someone@big.example';
  const { organizationKey } = await readKeys(running, running.output());
  await manage(running, organizationKey, '/users', { email });
  const stranger = openBrowser(running);
  const strangers = await stranger.signUp(email, strangersPassword);
  if (strangers.status === 200) await mail.next(email);
  const strangerIsIn = await stranger.isSignedIn();
  const owner = openBrowser(running);
  const begun = await owner.signUp(email, ownPassword);
  const link = begun.status === 200 ? await nextLink(mail, email) : undefined;
  if (link) await owner.openLink(link);
  return [
    none(
      'strangers who get an account that an organization made, without its mailbox',
      strangerIsIn ? 1 : 0,
    ),
    atLeast(1, {
      figure: 'owners of a mailbox who sign up although an organization made their account first',
      value: (await owner.isSignedIn()) ? 1 : 0,
      unit: '',
    }),
  ];
}
