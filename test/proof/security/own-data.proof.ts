import { setTimeout as pause } from 'node:timers/promises';
import { atLeast } from '../../bench/goals.ts';
import { receiveMail } from '../../support/mail.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { countSignedIn } from './browser-session.ts';
import { type DemoPerson, seedOrganizations, signInWith } from './demo-people.ts';

const mailMsMax = 5_000;
const deletionMutation =
  'mutation ($email: String!) { result: deleteAccount(input: { email: $email }) { success } }';

export const proof: Proof = {
  claim:
    'People can export their stored data and delete their account: afterwards nothing of it grants access, and no organization loses its last administrator',
  long: true,
  async measure({ log }) {
    const [mail, directory] = [await receiveMail(), temporaryDirectory()];
    const settings = { ...mail.settings, DATA_DIR: directory.path };
    const [first] = await seedOrganizations(settings);
    const [administrator, member] = first?.users ?? [];
    if (!administrator || !member) throw new Error('the demo has too few people');
    const server = await start(settings);
    try {
      const origin = server.address;
      const findings = [
        ...(await checkExport(member, origin)),
        await checkLastAdministrator(administrator, origin),
        ...(await checkDeletion(member, origin, mail)),
      ];
      for (const { figure, ...rest } of findings)
        log(`${figure}: ${'value' in rest ? rest.value : rest.skipped}`);
      return findings;
    } finally {
      server.process.kill('SIGTERM');
      await server.ended;
      await mail.close();
      directory.remove();
    }
  },
};

async function checkExport(person: DemoPerson, origin: string): Promise<ProofFinding[]> {
  const { data } = await (await signInWith(person, origin)).graph(
    'mutation { exportAccount(input: {}) { data } }',
  );
  const exported = Object(Object(data['exportAccount'])['data']);
  const text = JSON.stringify(exported);
  const exportParts = [
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
    atLeast(exportParts.length, {
      figure: 'kinds of personal data in the export',
      value: exportParts.filter((name) => name in exported).length,
      unit: '',
    }),
    exactlyZero('secrets in the export', secrets.length),
  ];
}

async function checkLastAdministrator(person: DemoPerson, origin: string): Promise<ProofFinding> {
  const { reason } = await (await signInWith(person, origin)).graph(deletionMutation, {
    email: person.email,
  });
  return atLeast(1, {
    figure: 'refusals because the person is the last administrator',
    value: reason === 'LAST_ADMINISTRATOR' ? 1 : 0,
    unit: '',
  });
}

async function checkDeletion(
  person: DemoPerson,
  origin: string,
  mail: Awaited<ReturnType<typeof receiveMail>>,
): Promise<ProofFinding[]> {
  const browsers = [await signInWith(person, origin), await signInWith(person, origin)];
  const [browser] = browsers;
  const mistyped = await browser?.graph(deletionMutation, { email: `not-${person.email}` });
  await browser?.graph(deletionMutation, { email: person.email });
  const openSessions = await countSignedIn([...browsers, await signInWith(person, origin)]);
  const keyAnswer = await fetch(new URL('/api/assistants/v1/', origin), {
    headers: { authorization: `Bearer ${person.userKey}` },
  });
  const confirmations = () =>
    mail.mails.filter(
      ({ subject, to }) =>
        subject === 'Your account was deleted' &&
        to?.some(({ address }) => address === person.email),
    );
  // Mails are sent in the background.
  for (let waitedMs = 0; confirmations().length === 0 && waitedMs < mailMsMax; waitedMs += 100)
    await pause(100);
  return [
    exactlyZero('deletions confirmed with a wrong address', mistyped?.data['result'] ? 1 : 0),
    exactlyZero(
      'sessions, passwords and keys that work after the deletion',
      openSessions + (keyAnswer.status === 401 ? 0 : 1),
    ),
    atLeast(1, {
      figure: 'mails that confirm the deletion',
      value: confirmations().length,
      unit: '',
    }),
  ];
}
