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

it('the audit log shows hash and length of an assistant’s instructions, and of entries from before as well', async () => {
  const person = await personIn(app, owner);
  const id = await assistantOf(person, { instructions: secret });
  await person.graph(
    `mutation { updateAssistant(assistantId: "${id}", instructions: "${secret} Ever.") { id } }`,
  );
  const stored = await app.database.prisma.auditEntry.findMany({
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
    auditEntries: { items: { changes: { instructions: unknown } }[] };
  }>(`{ auditEntries(targetId: "${id}") { items { changes } } }`);
  expect(JSON.stringify(data)).not.toContain('merger');
  const digest = { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), length: secret.length };
  expect(data?.auditEntries.items.map(({ changes }) => changes.instructions)).toEqual([
    digest,
    { ...digest, length: secret.length + 6 },
    digest,
  ]);
});

it('a plain member sees name and address of a colleague whom an assistant is shared with, and nothing else', async () => {
  const [one, other] = [await personIn(app, owner), await personIn(app, owner)];
  const id = await assistantOf(one, {});
  await share(one, id, 'VIEW', { userId: owner.administratorId });
  const asked = (fields: string) =>
    one.graph(`{ assistant(assistantId: "${id}") { shares { user { id ${fields} } } } }`);
  expect((await asked('email firstName lastName')).errors).toEqual([]);
  for (const fields of ['lastLogin', 'isAdmin', 'teams { name }', 'createdAt']) {
    const { data, errors } = await asked(fields);
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN']);
    expect(Object(data?.['assistant']).shares[1]).toEqual({
      user: fields === 'lastLogin' ? { id: owner.administratorId, lastLogin: null } : null,
    });
  }
  const own = await other.graph('{ assistants { shares { user { isAdmin } } } }');
  expect(own.errors).toEqual([]);
});
