import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../support/process.ts';
import { Answer } from './answer.ts';
import { AnswerRecording } from './record-answers.ts';

it('A recording of answers contains no password, key or cookie', () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const file = join(directory.path, 'answers.txt');
  const recording = new AnswerRecording();
  recording.add(
    new Answer({
      request: 'POST /auth/sign-in/email {"email":"ada@contract.example","password":"short-one"}',
      status: 200,
      headers: new Headers({ 'set-cookie': 'session=cookie-value', 'x-kept': 'yes' }),
      text: '{"key":"sk_svc_um_abcdef","currentPassword":"other-one"}',
    }),
    'contract-0',
  );
  recording.write(file);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('x-kept: yes');
  for (const secret of ['short-one', 'cookie-value', 'sk_svc_um_abcdef', 'other-one'])
    expect(text).not.toContain(secret);
});
