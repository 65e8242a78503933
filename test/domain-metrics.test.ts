import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from './support/app.ts';
import { assistantOf, personIn } from './support/assistants.ts';
import { filesOf } from './support/files.ts';
import { type ModelProvider, modelProvider } from './support/model-provider.ts';
import { fileOf } from './support/shelf.ts';

const token = 'a-token-for-figures';
const figuresOf = async (app: TestApp) =>
  app.request('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });

describe('the figures of /metrics', () => {
  let provider: ModelProvider;
  let app: TestApp;
  beforeAll(async () => {
    provider = await modelProvider(() => ({ text: 'Hello.' }));
    app = await testApp({
      METRICS_TOKEN: token,
      MODEL_BASE_URL: provider.baseUrl,
      MODEL_DEFAULT: 'large',
    });
  });
  afterAll(async () => {
    await app.close();
    await provider.close();
  });

  const figures = async (): Promise<string> => (await figuresOf(app)).text;

  it('tell of the connections to the database, from the first scrape on', async () => {
    const text = await figures();
    expect(text).toMatch(/^atrium_database_up 1$/m);
    expect(text).toMatch(/^atrium_database_connections\{state="waiting"\} 0$/m);
    expect(text).toMatch(/^atrium_database_connections\{state="idle"\} \d/m);
    expect(text).toMatch(/^atrium_info\{version="\d/m);
  });

  it('count the files of everybody that wait, how old the oldest is, and what came of those that were begun', async () => {
    expect(await figures()).toMatch(/^atrium_files_unfinished\{status="PENDING"\} 0$/m);
    const owner = await app.organization();
    const person = await personIn(app, owner);
    const assistantId = await assistantOf(person);
    const id = await fileOf(app, owner, assistantId, 'old.pdf');
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const tomorrow = new Date(Date.now() + 86_400_000);
    await app.database.prisma.assistantFile.update({
      where: { id },
      data: { status: 'PENDING', createdAt: anHourAgo, nextAttemptAt: tomorrow },
    });
    const text = await figures();
    expect(text).toMatch(/^atrium_files_unfinished\{status="PENDING"\} 1$/m);
    expect(text).toMatch(/^atrium_files_unfinished\{status="PROCESSING"\} 0$/m);
    expect(Number(/^atrium_files_oldest_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(3_500);
    // There is no vault here: what is uploaded waits for one.
    app.startProcessing();
    expect((await filesOf(app, person, assistantId).upload('a text')).status).toBe(200);
    await expect
      .poll(figures, { timeout: 60_000 })
      .toMatch(/^atrium_files_processed_total\{outcome="postponed"\} [1-9]/m);
  });

  it('count the calls of model providers by what came of them, and the tokens of runs', async () => {
    const person = await personIn(app, await app.organization());
    const assistantId = await assistantOf(person);
    const run = () =>
      person.call('POST', `/api/assistants/v1/${assistantId}/run`, {
        messages: [{ role: 'user', content: 'Hello?' }],
      });
    const { status, body } = await run();
    expect(status).toBe(200);
    const { promptTokens } = Object(body['usage']);
    expect(promptTokens).toBeGreaterThan(0);
    const text = await figures();
    expect(text).toMatch(
      /^atrium_model_call_duration_seconds_count\{provider="default",outcome="answered"\} 1$/m,
    );
    expect(text).toMatch(
      new RegExp(`^atrium_model_tokens_total\\{kind="prompt"\\} ${promptTokens}$`, 'm'),
    );
    provider.now(() => (response) => response.writeHead(400).end());
    expect((await run()).status).toBe(502);
    expect(await figures()).toMatch(
      /^atrium_model_call_duration_seconds_count\{provider="default",outcome="refused"\} 1$/m,
    );
  });

  it('say that the database is away instead of failing with it', async () => {
    const broken = await testApp({ METRICS_TOKEN: token });
    await broken.database.close();
    const { status, text } = await figuresOf(broken);
    expect(status).toBe(200);
    expect(text).toMatch(/^atrium_database_up 0$/m);
    expect(text).toMatch(/^atrium_files_unfinished\{status="PENDING"\} Nan$/m);
  });
});
