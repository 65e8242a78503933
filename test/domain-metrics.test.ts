import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from './support/app.ts';
import { assistantOf, personIn } from './support/assistants.ts';
import { filesOf } from './support/files.ts';
import { type ModelProvider, modelProvider } from './support/model-provider.ts';
import { createProcessedFile } from './support/search-vault-stub.ts';

const token = 'a-token-for-figures';
const scrape = async (app: TestApp) =>
  app.request('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });

describe('the metrics of the API', () => {
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

  const metricsText = async (): Promise<string> => (await scrape(app)).text;

  it('/metrics contains the database connections from the first scrape on', async () => {
    const text = await metricsText();
    expect(text).toMatch(/^atrium_database_up 1$/m);
    expect(text).toMatch(/^atrium_database_connections\{state="waiting"\} 0$/m);
    expect(text).toMatch(/^atrium_database_connections\{state="idle"\} \d/m);
    expect(text).toMatch(/^atrium_info\{version="\d/m);
  });

  it('/metrics contains the unfinished files of all organizations, the age of the oldest, and the outcomes of processing', async () => {
    expect(await metricsText()).toMatch(/^atrium_files_unfinished\{status="PENDING"\} 0$/m);
    const owner = await app.organization();
    const person = await personIn(app, owner);
    const assistantId = await assistantOf(person);
    const id = await createProcessedFile(app, owner, assistantId, 'old.pdf');
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const tomorrow = new Date(Date.now() + 86_400_000);
    await app.database.prisma.assistantFile.update({
      where: { id },
      data: { status: 'PENDING', createdAt: anHourAgo, nextAttemptAt: tomorrow },
    });
    const text = await metricsText();
    expect(text).toMatch(/^atrium_files_unfinished\{status="PENDING"\} 1$/m);
    expect(text).toMatch(/^atrium_files_unfinished\{status="PROCESSING"\} 0$/m);
    expect(Number(/^atrium_files_oldest_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(3_500);
    // There is no vault here, so uploaded files are postponed.
    app.startProcessing();
    expect((await filesOf(app, person, assistantId).upload('a text')).status).toBe(200);
    await expect
      .poll(metricsText, { timeout: 60_000 })
      .toMatch(/^atrium_files_processed_total\{outcome="postponed"\} [1-9]/m);
  });

  it('/metrics contains the calls of model providers by outcome, and the tokens of runs', async () => {
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
    const text = await metricsText();
    expect(text).toMatch(
      /^atrium_model_call_duration_seconds_count\{provider="default",outcome="answered"\} 1$/m,
    );
    expect(text).toMatch(
      new RegExp(`^atrium_model_tokens_total\\{kind="prompt"\\} ${promptTokens}$`, 'm'),
    );
    provider.now(() => (response) => response.writeHead(400).end());
    expect((await run()).status).toBe(502);
    expect(await metricsText()).toMatch(
      /^atrium_model_call_duration_seconds_count\{provider="default",outcome="refused"\} 1$/m,
    );
  });

  it('/metrics is 404 without METRICS_TOKEN', async () => {
    const withoutToken = await testApp({}, { database: app.database });
    expect((await scrape(withoutToken)).status).toBe(404);
    withoutToken.stop();
  });

  it('/metrics reports that the database cannot be reached instead of failing', async () => {
    const broken = await testApp({ METRICS_TOKEN: token });
    await broken.database.close();
    const { status, text } = await scrape(broken);
    expect(status).toBe(200);
    expect(text).toMatch(/^atrium_database_up 0$/m);
    expect(text).toMatch(/^atrium_files_unfinished\{status="PENDING"\} Nan$/m);
  });
});
