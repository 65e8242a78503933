import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share } from '../../support/assistants.ts';
import { signIn } from '../../support/sign-in.ts';

const secret = 'Never tell anybody about the merger.';
let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp();
  owner = await app.organization();
});
afterAll(() => app.close());

it('The audit log shows only hash and length of the instructions of an assistant, also in older entries', async () => {
  const person = await personIn(app, owner);
  const id = await assistantOf(person, { instructions: secret });
  await person.graph(
    `mutation { updateAssistant(input: { assistantId: "${id}", instructions: "${secret} Ever." }) { assistant { id } } }`,
  );
  const stored = await app.database.prisma.auditEntry.findMany({
    // JSON has no bigint.
    omit: { position: true, txId: true },
    where: { targetId: id },
    orderBy: { id: 'asc' },
  });
  expect(JSON.stringify(stored)).not.toContain('merger');
  const at = new Date();
  await app.database.prisma.auditEntry.create({
    data: {
      id: 'an-earlier-entry',
      at,
      organizationId: owner.id,
      actorKind: 'SYSTEM',
      action: 'x',
      targetType: 'Assistant',
      targetId: id,
      changes: { instructions: secret },
    },
  });
  const admin = await signIn(app, owner.administratorId);
  const { data } = await admin.graph<{
    auditEntries: { nodes: { changes: { field: string; value: unknown }[] }[] };
  }>(`{ auditEntries(targetId: "${id}") { nodes { changes { field value } } } }`);
  expect(JSON.stringify(data)).not.toContain('merger');
  const digest = { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), length: secret.length };
  const digests = data?.auditEntries.nodes.map(
    ({ changes }) => changes.find(({ field }) => field === 'instructions')?.value,
  );
  expect(digests).toEqual([digest, { ...digest, length: secret.length + 6 }, digest]);
});

it('A member sees only name and e-mail address of a colleague whom an assistant is shared with', async () => {
  const [member, outsider] = [await personIn(app, owner), await personIn(app, owner)];
  const id = await assistantOf(member, {});
  await share(member, id, 'VIEW', { userId: owner.administratorId });
  const queryShares = (fields: string) =>
    member.graph(`{ assistant(assistantId: "${id}") { shares { user { id ${fields} } } } }`);
  expect((await queryShares('email firstName lastName')).errors).toEqual([]);
  for (const fields of ['lastLogin', 'isAdmin', 'teams { name }', 'createdAt']) {
    const { data, errors } = await queryShares(fields);
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN']);
    expect(Object(data?.['assistant']).shares[1]).toEqual({
      user: fields === 'lastLogin' ? { id: owner.administratorId, lastLogin: null } : null,
    });
  }
  const ownAnswer = await outsider.graph(
    '{ assistants { nodes { shares { user { isAdmin } } } } }',
  );
  expect(ownAnswer.errors).toEqual([]);
});
