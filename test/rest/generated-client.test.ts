import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generate } from 'openapi-typescript-codegen';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { committedDocument } from '../support/openapi.ts';
import { type ParityApp, parityApp } from '../support/parity/fixtures.ts';
import { temporaryDirectory } from '../support/process.ts';

// A program that uses the generated client. Its lines are checked by the compiler, and it runs
// against the server.
const tour = `
import {
  ApiError, AssistantFilesService, AssistantsService, OpenAiService, OpenAPI,
  PartnerSponsorshipService, UserManagementService, type RunAssistantEvent,
} from './api/index';

type Input = { origin: string; userKey: string; organizationKey: string; assistantId: string };

export async function run({ origin, userKey, organizationKey, assistantId }: Input) {
  OpenAPI.BASE = origin;
  OpenAPI.TOKEN = organizationKey;
  const { campaign } = await PartnerSponsorshipService.createCampaign({
    requestBody: { name: 'Spring', durationMonths: 3, maxRedemptions: null },
    idempotencyKey: 'once',
  });
  const again = await PartnerSponsorshipService.createCampaign({
    requestBody: { name: 'Spring', durationMonths: 3, maxRedemptions: null },
    idempotencyKey: 'once',
  });
  const { link } = await PartnerSponsorshipService.createLink({
    campaignId: campaign.id,
    requestBody: {},
  });
  const { redemptions } = await PartnerSponsorshipService.listRedemptions({
    campaignId: campaign.id,
    billingStatus: 'UNBILLED',
  });
  const { users, totalPages } = await UserManagementService.listUsers({ pageSize: 1 });
  const { team } = await UserManagementService.createTeam({ requestBody: { name: 'Generated' } });
  await UserManagementService.addTeamUser({
    teamId: team.id,
    requestBody: { userId: users[0]!.id },
  });
  const deleted = await UserManagementService.deleteTeam({ teamId: team.id });
  const refusal = await UserManagementService.getUser({ userId: 'unknown' }).then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? error : undefined),
  );
  OpenAPI.TOKEN = userKey;
  const { assistants } = await AssistantsService.listAssistants({});
  const answer = await AssistantsService.runAssistant({
    assistantId,
    requestBody: { messages: [{ role: 'user', content: 'How many days of vacation do I get?' }] },
  });
  if ('state' in answer) throw new Error('A run was durable that was not to be');
  const { file } = await AssistantFilesService.uploadAssistantFile({
    assistantId,
    formData: { file: new File(['At noon.'], 'lunch.txt', { type: 'text/plain' }) },
  });
  const { files } = await AssistantFilesService.listAssistantFiles({ assistantId });
  const completion = await OpenAiService.createChatCompletion({
    requestBody: { model: assistantId, messages: [{ role: 'user', content: 'Vacation?' }] },
  });
  const quote: string | undefined = answer.citationDetails[0]?.quote;
  const months: number = campaign.durationMonths;
  const cap: number | null = campaign.maxRedemptions;
  return {
    months, cap, quote, totalPages,
    isSame: again.campaign.id === campaign.id,
    linkName: link.name,
    redemptions: redemptions.length,
    deleted: deleted.success,
    refusal: refusal && { status: refusal.status, code: refusal.body.code },
    assistants: assistants.map(({ name }) => name),
    uploaded: files.some(({ id }) => id === file.id),
    finishReason: completion.choices[0]?.finish_reason,
  };
}

export function textOf(event: RunAssistantEvent): string {
  switch (event.event) {
    case 'text': return event.data.text;
    case 'done': return event.data.citations.join();
    case 'error': return event.data.code;
    default: return '';
  }
}

export const neverCalled = () => [
  // @ts-expect-error the duration is required
  PartnerSponsorshipService.createCampaign({ requestBody: { name: 'Spring' } }),
  // @ts-expect-error the status does not exist
  PartnerSponsorshipService.listRedemptions({ campaignId: '1', billingStatus: 'PAID' }),
  // @ts-expect-error the role does not exist
  AssistantsService.runAssistant({ assistantId: '1', requestBody: { messages: [{ role: 'robot', content: '' }] } }),
  // @ts-expect-error a user has no such field
  UserManagementService.getUser({ userId: '1' }).then(({ user }) => user.nickname),
];
`;

const directory = temporaryDirectory();
let app: ParityApp;
beforeAll(async () => {
  app = await parityApp();
  const { path } = directory;
  const input = structuredClone(committedDocument);
  await generate({ input, output: join(path, 'api'), useOptions: true, useUnionTypes: true });
  writeFileSync(join(path, 'tour.ts'), tour);
  writeFileSync(join(path, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(path, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ strict: true, noEmit: true, target: 'ES2022', module: 'ESNext', types: [] },
        ...{ moduleResolution: 'Bundler', lib: ['ES2022', 'DOM', 'DOM.Iterable'] },
      },
      include: ['**/*.ts'],
    }),
  );
  mkdirSync(join(path, 'built'));
});
afterAll(async () => {
  await app.close();
  directory.remove();
});

it('A client that openapi-typescript-codegen generates compiles in strict mode', () => {
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const compile = () =>
    execFileSync(process.execPath, [compiler, '-p', directory.path], { encoding: 'utf8' });
  expect(compile()).toBe('');
});

it('The generated client passes a tour of the calls', async () => {
  await build({
    root: directory.path,
    configFile: false,
    logLevel: 'silent',
    build: { ssr: 'tour.ts', outDir: 'built', minify: false },
  });
  const { run } = await import(pathToFileURL(join(directory.path, 'built/tour.js')).href);
  const keyOf = ({ headers }: { headers: { authorization?: string } }) =>
    headers.authorization?.replace('Bearer ', '') ?? '';
  const organization = await app.fixtures.organization();
  const assistant = await app.fixtures.assistant();
  const result = await run({
    origin: app.url,
    userKey: keyOf(assistant),
    organizationKey: keyOf(organization),
    assistantId: assistant.assistantId,
  });
  expect(result).toEqual({
    months: 3,
    cap: null,
    quote: 'Employees get 30 days of vacation.',
    totalPages: 2,
    isSame: true,
    linkName: 'Link 1',
    redemptions: 0,
    deleted: true,
    refusal: { status: 404, code: 'NOT_FOUND' },
    assistants: ['Handbook'],
    uploaded: true,
    finishReason: 'stop',
  });
});
