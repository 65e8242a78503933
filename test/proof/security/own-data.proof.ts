import { setTimeout as pause } from 'node:timers/promises';
import { atLeast } from '../../bench/goals.ts';
import { receiveMail } from '../../support/mail.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import type { ProofBrowser } from './browser-at.ts';
import { type Person, seedOrganizations, signInWith } from './demo-people.ts';

const mailMsMax = 5_000;
const deletion = 'mutation ($email: String!) { result: deleteAccount(email: $email) }';

export const proof: Proof = {
  claim:
    'people export what is stored about them, and delete their account: nothing opens afterwards, and no organization loses its last administrator',
  long: true,
  async attempt({ say }) {
    const [mail, directory] = [await receiveMail(), temporaryDirectory()];
    const settings = { ...mail.settings, DATA_DIR: directory.path };
    const [first] = await seedOrganizations(settings);
    const [administrator, member] = first?.users ?? [];
    if (!administrator || !member) throw new Error('the demo has too few people');
    const server = await start(settings);
    try {
      const origin = server.address;
      const findings = [
        ...(await exportOf(member, origin)),
        await lastAdministrator(administrator, origin),
        ...(await deletionOf(member, origin, mail)),
      ];
      for (const { figure, ...rest } of findings)
        say(`${figure}: ${'value' in rest ? rest.value : rest.leftOut}`);
      return findings;
    } finally {
      server.process.kill('SIGTERM');
      await server.ended;
      await mail.close();
      directory.remove();
    }
  },
};

async function exportOf(person: Person, origin: string): Promise<Finding[]> {
  const { data } = await (await signInWith(person, origin)).graph('mutation { exportAccount }');
  const exported = Object(data['exportAccount']);
  const text = JSON.stringify(exported);
  const parts = [
    'account',
    'memberships',
    'teams',
    'keys',
    'sessions',
    'shares',
    'secondFactors',
    'redemptions',
    'auditEntries',
  ];
  const secrets = [person.userKey, person.password].filter((secret) => text.includes(secret));
  return [
    atLeast(parts.length, {
      figure: 'parts of a person’s data in the export',
      value: parts.filter((part) => part in exported).length,
      unit: '',
    }),
    none('secrets in the export', secrets.length),
  ];
}

async function lastAdministrator(person: Person, origin: string): Promise<Finding> {
  const { reason } = await (await signInWith(person, origin)).graph(deletion, {
    email: person.email,
  });
  return atLeast(1, {
    figure: 'refusals with the reason that the person is the last administrator',
    value: reason === 'LAST_ADMINISTRATOR' ? 1 : 0,
    unit: '',
  });
}

async function deletionOf(
  person: Person,
  origin: string,
  mail: Awaited<ReturnType<typeof receiveMail>>,
): Promise<Finding[]> {
  const browsers = [await signInWith(person, origin), await signInWith(person, origin)];
  const [browser] = browsers;
  const mistyped = await browser?.graph(deletion, { email: `not-${person.email}` });
  await browser?.graph(deletion, { email: person.email });
  const opened = await opening([...browsers, await signInWith(person, origin)]);
  const key = await fetch(new URL('/api/assistants/v1/', origin), {
    headers: { authorization: `Bearer ${person.userKey}` },
  });
  const confirmations = () =>
    mail.mails.filter(
      ({ subject, to }) =>
        subject === 'Your account was deleted' &&
        to?.some(({ address }) => address === person.email),
    );
  // Mails go out in the background.
  for (let waited = 0; confirmations().length === 0 && waited < mailMsMax; waited += 100)
    await pause(100);
  return [
    none(
      'deletions with another address than the account’s',
      mistyped?.data['result'] === true ? 1 : 0,
    ),
    none(
      'sessions, passwords and keys that open something after the deletion',
      opened + (key.status === 401 ? 0 : 1),
    ),
    atLeast(1, {
      figure: 'mails that confirm the deletion',
      value: confirmations().length,
      unit: '',
    }),
  ];
}

async function opening(browsers: readonly ProofBrowser[]): Promise<number> {
  return (await Promise.all(browsers.map((browser) => browser.personId()))).filter(
    (id) => id !== undefined,
  ).length;
}
