import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { sealAll } from '../../../../src/modules/audit/sealing/schedule-sealing.ts';
import {
  createReceiptCipher,
  createReceiptKeys,
  rotateReceiptKey,
} from '../../../../src/modules/runs/receipts/receipt-keys.ts';
import { sha256Of } from '../../../../src/modules/runs/receipts/receipt-participant.ts';
import { personIn, type TestPerson } from '../../../support/assistants.ts';
import { type RunApp, runApp } from '../../../support/run-app.ts';
import { settleEvents } from '../../../support/settle-events.ts';

const authSecret = 'a secret of the tests, long enough for it';
const question = 'How many days of vacation do I get?';
const answer = 'You get 30 days of vacation [1].';
const quote = 'Employees get 30 days of vacation.';

let setting: RunApp;
let colleague: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  setting = await runApp({ AUTH_SECRET: authSecret });
  colleague = await personIn(setting.app, setting.organization);
  stranger = await personIn(setting.app, await setting.app.organization());
});
afterAll(() => setting.close());

const keySetSchema = z.object({
  keys: z.array(
    z.object({ kid: z.string(), kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }),
  ),
});
async function publishedKeys() {
  const response = await fetch(`${setting.url}/.well-known/atrium-receipts.json`);
  return { response, keySet: keySetSchema.parse(await response.json()) };
}

const receiptOf = (runId: string, person = setting.owner) =>
  person.call('GET', `/api/assistants/v1/runs/${runId}/receipt`);

async function run(person = setting.owner) {
  setting.searchThenAnswer('You get 30 days of vacation [1][9].');
  const response = await person.call('POST', `/api/assistants/v1/${setting.assistantId}/run`, {
    messages: [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Good morning.' },
      { role: 'user', content: [{ type: 'text', text: question }] },
    ],
  });
  return { response, runId: String(response.body['runId']) };
}

describe('A receipt', () => {
  it('It names the run, and has the hashes of question, answer and cited passages', async () => {
    const { response, runId } = await run();
    expect(response.body['text']).toBe(answer);
    const receipt = await receiptOf(runId);
    expect(receipt.status).toBe(200);
    expect(receipt.body).toEqual({
      issuer: 'http://atrium.test',
      runId,
      organizationId: setting.organization.id,
      assistantId: setting.assistantId,
      assistantVersion: expect.stringMatching(/Z$/),
      model: 'large',
      startedAt: expect.stringMatching(/Z$/),
      endedAt: expect.stringMatching(/Z$/),
      ...{ promptTokens: 20, completionTokens: 10, cachedTokens: 0 },
      questionSha256: sha256Of(question),
      answerSha256: sha256Of(answer),
      citations: [
        {
          marker: 1,
          documentId: setting.handbook,
          versionId: setting.handbook,
          ...{ page: 3, start: 100, end: 100 + quote.length, sha256: sha256Of(quote) },
        },
      ],
      jws: expect.any(String),
    });
    expect((await receiptOf(runId)).body).toEqual(receipt.body);
  });

  it('jose verifies it with the published keys, and reads the same fields', async () => {
    const { runId } = await run();
    const { jws, ...fields } = (await receiptOf(runId)).body;
    const { keySet } = await publishedKeys();
    const { payload, protectedHeader } = await compactVerify(
      String(jws),
      createLocalJWKSet(keySet),
    );
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(fields);
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'atrium-receipt' });
  });

  it('The keys are public, cacheable, and have no private part', async () => {
    const { response, keySet } = await publishedKeys();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/jwk-set+json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(keySet.keys.length).toBeGreaterThan(0);
    expect(Object.keys(keySet.keys[0] ?? {})).not.toContain('d');
    const post = await fetch(response.url, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('The table of keys has no private key in plain text', async () => {
    await run();
    const rows = await setting.app.database.prisma.receiptKey.findMany();
    expect(rows).not.toEqual([]);
    for (const { encryptedPrivateKey } of rows) expect(encryptedPrivateKey).toMatch(/^[^.]{100,}$/);
  });

  it('Neither a quote nor the text of question or answer is stored with it', async () => {
    const { runId } = await run();
    const { prisma } = setting.app.database;
    const stored = JSON.stringify([
      await prisma.run.findUnique({ where: { id: runId } }),
      await prisma.runReceipt.findUnique({ where: { runId }, include: { citations: true } }),
    ]);
    for (const text of ['vacation', 'Employees', 'handbook.pdf'])
      expect(stored).not.toContain(text);
  });

  it('Another member and another organization find no run', async () => {
    const { runId } = await run();
    for (const person of [colleague, stranger]) {
      const refused = await receiptOf(runId, person);
      expect(refused.status).toBe(404);
      expect(refused.body).toMatchObject({ code: 'NOT_FOUND', message: 'Run not found' });
    }
    expect((await receiptOf('unknown')).status).toBe(404);
    const query = `{ runReceipt(runId: "${runId}") { jws } }`;
    const { errors } = await stranger.graph(query);
    expect(errors[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
  });

  it('An organization key is refused', async () => {
    const { runId } = await run();
    const refused = await setting.app.callerWith(setting.organization.key)(
      'GET',
      `/api/assistants/v1/runs/${runId}/receipt`,
    );
    expect(refused.status).toBe(401);
  });

  it('A run without an answer has none: 409', async () => {
    setting.provider.now(() => (response) => response.writeHead(400).end());
    const failed = await setting.owner.call(
      'POST',
      `/api/assistants/v1/${setting.assistantId}/run`,
      { messages: [{ role: 'user', content: question }] },
    );
    expect(failed.status).toBe(502);
    const refused = await receiptOf(failed.headers.get('x-run-id') ?? '');
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/FAILED/),
    });
  });

  it('The graph gives the same receipt', async () => {
    const { runId } = await run();
    const { data } = await setting.owner.graph(
      `{ runReceipt(runId: "${runId}") { runId jws citations { sha256 } } }`,
    );
    const { jws } = (await receiptOf(runId)).body;
    expect(data).toEqual({ runReceipt: { runId, jws, citations: [{ sha256: sha256Of(quote) }] } });
  });
});

describe('The keys of receipts', () => {
  const logged: string[] = [];
  const keysAt = (secret: string, time = '2026-11-23T10:00:00.000Z') =>
    createReceiptKeys({
      ...{
        database: setting.app.database,
        clock: () => new Date(time),
        log: { error: (...values: unknown[]) => logged.push(String(values.at(-1))) },
      },
      cipher: createReceiptCipher(secret),
    });

  it('Processes that start at the same time sign with one key', async () => {
    await setting.app.database.prisma.receiptKey.deleteMany();
    const keys = await Promise.all(
      Array.from({ length: 8 }, async () => (await keysAt(authSecret).signing()).id),
    );
    expect(new Set(keys).size).toBe(1);
  });

  it('After a rotation the old receipts stay valid, and the old private key is gone', async () => {
    const before = keysAt(authSecret);
    const { id: oldId } = await before.signing();
    const newId = await rotateReceiptKey({
      ...{ database: setting.app.database, clock: () => new Date() },
      cipher: createReceiptCipher(authSecret),
    });
    expect(newId).not.toBe(oldId);
    const after = keysAt(authSecret);
    expect((await after.signing()).id).toBe(newId);
    expect((await after.published()).keys.map(({ kid }) => kid)).toEqual(
      expect.arrayContaining([oldId, newId]),
    );
    const old = await setting.app.database.prisma.receiptKey.findUniqueOrThrow({
      where: { id: oldId },
    });
    expect(old.encryptedPrivateKey).toBeNull();
    const { runId } = await run();
    const header = decodeProtectedHeader(String((await receiptOf(runId)).body['jws']));
    expect([oldId, newId, expect.any(String)]).toContainEqual(header.kid);
  });

  it('A process whose clock was set back notices that another one has rotated the key', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const keys = keysAt(authSecret);
    const { id: oldId } = await keys.signing();
    const newId = await rotateReceiptKey({
      ...{ database: setting.app.database, clock: () => new Date() },
      cipher: createReceiptCipher(authSecret),
    });
    expect((await keys.signing()).id).toBe(oldId);
    vi.advanceTimersByTime(60_000);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect((await keys.signing()).id).toBe(newId);
    vi.useRealTimers();
  });

  it('Another AUTH_SECRET signs nothing, says what to do, and makes no second key', async () => {
    const { prisma } = setting.app.database;
    await keysAt(authSecret).signing();
    const count = await prisma.receiptKey.count();
    await expect(keysAt('another secret of the same length').signing()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('npm run receipt:rotate'),
    });
    expect(await prisma.receiptKey.count()).toBe(count);
  });

  it('Another AUTH_SECRET is logged once, although the audit log needs the key every ten seconds', async () => {
    const { database } = setting.app;
    await keysAt(authSecret).signing();
    await setting.owner.graph(
      `mutation { createAssistant(input: { name: "Sealed" }) { assistant { id } } }`,
    );
    await settleEvents(database);
    logged.length = 0;
    const warnings: string[] = [];
    const dependencies = {
      ...{ database, clock: () => new Date() },
      signingKeys: keysAt('another secret of the same length'),
      log: { warn: (...values: unknown[]) => warnings.push(String(values.at(-1))) },
    };
    for (let round = 0; round < 3; round += 1)
      await expect(sealAll(dependencies)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(logged).toEqual([expect.stringContaining('run npm run receipt:rotate')]);
    expect(warnings).toEqual([]);
  });
});
