import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, temporaryDirectory } from '../support/process.ts';
import { type RunApp, runApp } from '../support/run-app.ts';

const question = 'How many days of vacation do I get?';
const answer = 'You get 30 days of vacation [1].';
const quote = 'Employees get 30 days of vacation.';

let setting: RunApp;
let directory: ReturnType<typeof temporaryDirectory>;
let receipt: Record<string, unknown>;
const pathOf = (name: string) => join(directory.path, name);
const write = (name: string, content: unknown) => {
  writeFileSync(pathOf(name), typeof content === 'string' ? content : JSON.stringify(content));
  return pathOf(name);
};

beforeAll(async () => {
  directory = temporaryDirectory();
  setting = await runApp();
  setting.searchThenAnswer(answer);
  const { body } = await setting.owner.call(
    'POST',
    `/api/assistants/v1/${setting.assistantId}/run`,
    { messages: [{ role: 'user', content: question }] },
  );
  ({ body: receipt } = await setting.owner.call(
    'GET',
    `/api/assistants/v1/runs/${body['runId']}/receipt`,
  ));
  const keys = await fetch(`${setting.url}/.well-known/atrium-receipts.json`);
  write('jwks.json', await keys.text());
  write('receipt.json', receipt);
});
afterAll(async () => {
  await setting.close();
  directory.remove();
});

async function verify(...flags: string[]) {
  const command = run('src/commands/verify-receipt.ts', { DATA_DIR: directory.path }, flags);
  return { code: await command.ended, output: command.stdout(), errors: command.stderr() };
}
const withKey = () => ['--key', pathOf('jwks.json')];

describe('npm run receipt:verify', () => {
  it('A receipt is valid with the published keys, as JSON and as its JWS alone', async () => {
    for (const file of [pathOf('receipt.json'), write('receipt.jws', `${receipt['jws']}\n`)]) {
      const { code, output } = await verify(file, ...withKey());
      expect(output).toContain('The signature is valid.');
      expect(output).toContain(String(receipt['runId']));
      expect(code).toBe(0);
    }
  });

  it('Question, answer and document are compared with the receipt', async () => {
    const text = write('handbook.txt', `${' '.repeat(100)}${quote} And more.`);
    const { code, output } = await verify(
      ...[pathOf('receipt.json'), ...withKey()],
      ...['--question', write('question.txt', `${question}\n`)],
      ...['--answer', write('answer.txt', answer), '--text', text, '--citation', '1'],
    );
    expect(output).toContain('The question is the one of the receipt.');
    expect(output).toContain('The answer is the one of the receipt.');
    expect(output).toContain(
      `The passage of citation 1 stands in the text at 100 to ${100 + quote.length}.`,
    );
    expect(code).toBe(0);
  });

  it('A changed field, a changed signature and an unknown key are exit code 1', async () => {
    const [header = '', payload = '', signature = ''] = String(receipt['jws']).split('.');
    const forged = Buffer.from(payload, 'base64url').toString().replace('large', 'small');
    const changed = [header, Buffer.from(forged).toString('base64url'), signature].join('.');
    for (const [content, fault] of [
      [{ ...receipt, model: 'small' }, 'The field model differs from the signed text.'],
      [{ ...receipt, approved: true }, 'The field approved differs from the signed text.'],
      [changed, 'Its signature is not valid'],
      ['{"runId":"r"}', 'The receipt has no field jws.'],
      ['a.b', 'It is not a compact JWS.'],
    ] as const) {
      const { code, errors } = await verify(write('changed.json', content), ...withKey());
      expect(errors).toContain(fault);
      expect(code).toBe(1);
    }
    const noKeys = write('none.json', { keys: [] });
    const unknown = await verify(pathOf('receipt.json'), '--key', noKeys);
    expect(unknown.errors).toContain('which is not among the keys');
    expect(unknown.code).toBe(1);
  });

  it('Another answer and another text are exit code 1', async () => {
    const other = write('other.txt', `${' '.repeat(100)}Employees get 20 days of vacation.`);
    for (const [flag, fault] of [
      ['--answer', 'The answer is not the one of the receipt.'],
      ['--text', 'The text is not the one that was cited.'],
    ] as const) {
      const { code, errors } = await verify(pathOf('receipt.json'), ...withKey(), flag, other);
      expect(errors).toContain(fault);
      expect(code).toBe(1);
    }
  });

  it('Wrong arguments and a missing file are exit code 2', async () => {
    for (const flags of [[], ['--unknown'], [pathOf('missing.json'), ...withKey()]]) {
      const { code, errors } = await verify(...flags);
      expect(errors).toMatch(/Usage: npm run receipt:verify|cannot be read/);
      expect(code).toBe(2);
    }
  });
});
