import { atLeast } from '../../bench/goals.ts';
import { migratedDirectory } from '../../support/embedded-template.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import { type RunningServer, start } from '../../support/process.ts';
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

const invitation =
  'mutation ($email: EmailAddress!) { inviteMember(input: { email: $email, role: MEMBER }) { isMailed } }';

export const proof: Proof = {
  claim:
    'An account with an unverified address gets no access: what an organization grants to the address is for the owner of its mailbox',
  async measure({ log }) {
    const directory = await migratedDirectory();
    const mail = await receiveMail();
    const running = await start(
      { DATA_DIR: directory.path, EMAIL_VERIFICATION: 'off', ...mail.settings },
      ['api'],
    );
    try {
      return [
        ...(await checkProvisionedAccounts(running, log)),
        ...(await checkClaimedAccount(running, mail)),
        ...(await checkAccountCreatedFirst(running, mail)),
      ];
    } finally {
      running.process.kill('SIGKILL');
      await running.ended;
      await mail.close();
      directory.remove();
    }
  },
};

/** A stranger signs up with an address; later the organization of its owner adds the address. */
async function checkProvisionedAccounts(
  running: RunningServer,
  log: (line: string) => void,
): Promise<ProofFinding[]> {
  const {
    organizationKey,
    email: administratorEmail,
    password,
  } = await readKeys(running, running.output());
  const administrator = openBrowser(running);
  await administrator.signIn(administratorEmail, password);
  const waysToAdd = {
    users: (email: string) => manage(running, organizationKey, '/users', { email }),
    'users-add': (email: string) => manage(running, organizationKey, '/users/add', { email }),
    invitation: async (email: string) =>
      (await administrator.post('/graphql', { query: invitation, variables: { email } })).status,
  };
  let sessions = 0;
  let passwords = 0;
  for (const [name, addToOrganization] of Object.entries(waysToAdd)) {
    const email = `newhire-${name}@partner.example`;
    const stranger = openBrowser(running);
    await stranger.signUp(email, strangersPassword);
    const status = await addToOrganization(email);
    if (status !== 200) throw new Error(`${name} answered ${status}`);
    const [hasSession, signIn] = [
      await stranger.isSignedIn(),
      await openBrowser(running).signIn(email, strangersPassword),
    ];
    log(
      `${name}: the stranger's session ${hasSession ? 'still works' : 'has ended'}, a sign-in with the password answers ${signIn.status}`,
    );
    if (hasSession) sessions += 1;
    if (signIn.status === 200) passwords += 1;
  }
  return [
    exactlyZero(
      'of 3 provisioned addresses, those where a stranger’s session still works',
      sessions,
    ),
    exactlyZero('of 3 provisioned addresses, those where a stranger’s password works', passwords),
  ];
}

/** The owner of the mailbox verifies the address while a stranger is signed in to the account. */
async function checkClaimedAccount(running: RunningServer, mail: Mailbox): Promise<ProofFinding[]> {
  const email = 'owner@claimed.example';
  const stranger = openBrowser(running);
  await stranger.signUp(email, strangersPassword);
  await stranger.post('/auth/send-verification-email', { email });
  const link = linkIn(await mail.next(email));
  const owner = openBrowser(running);
  await owner.openLink(link);
  await owner.openLink(link, { password: ownPassword, firstName: 'Olivia' });
  const remainingAccess = [
    await stranger.isSignedIn(),
    (await openBrowser(running).signIn(email, strangersPassword)).status === 200,
  ];
  return [
    exactlyZero(
      'sessions and passwords of a stranger that work after the mailbox’s owner claimed the account',
      remainingAccess.filter(Boolean).length,
    ),
  ];
}

/**
 * An organization creates an account for an address; then a stranger and after that the owner sign
 * up with it.
 */
async function checkAccountCreatedFirst(
  running: RunningServer,
  mail: Mailbox,
): Promise<ProofFinding[]> {
  const email = 'someone@big.example';
  const { organizationKey } = await readKeys(running, running.output());
  await manage(running, organizationKey, '/users', { email });
  const stranger = openBrowser(running);
  const strangerSignUp = await stranger.signUp(email, strangersPassword);
  if (strangerSignUp.status === 200) await mail.next(email);
  const isStrangerSignedIn = await stranger.isSignedIn();
  const owner = openBrowser(running);
  const ownerSignUp = await owner.signUp(email, ownPassword);
  const link = ownerSignUp.status === 200 ? await nextLink(mail, email) : undefined;
  if (link) await owner.openLink(link);
  return [
    exactlyZero(
      'strangers who got an account created by an organization, without access to its mailbox',
      isStrangerSignedIn ? 1 : 0,
    ),
    atLeast(1, {
      figure:
        'mailbox owners who can sign up although an organization created their account before',
      value: (await owner.isSignedIn()) ? 1 : 0,
      unit: '',
    }),
  ];
}
