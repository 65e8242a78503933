import { expect, it } from 'vitest';
import { AppError } from '../../../src/platform/errors.ts';
import { storageFault } from '../../../src/vault/vector-db/storage-fault.ts';
import { linesOfLog } from '../../support/vault.ts';

const { log } = linesOfLog();

// As Lance 0.31 says it on a full file system and on one that was taken away.
it.each([
  [
    'STORAGE_FULL',
    'lance error: LanceError(IO): No space left on device (os error 28), /build/lance-file/src/writer.rs:319:9',
  ],
  [
    'UNAVAILABLE',
    'Failed to get next batch from stream: lance error: LanceError(IO): Object at location /data/tokens.lance not found: No such file (os error 2)',
  ],
])('tells %s without a word of the storage itself', (code, message) => {
  const told = storageFault(new Error(message), log);
  expect(told).toMatchObject({ code });
  expect(String(told)).not.toMatch(/lance|\/data|os error/i);
});

it('leaves alone what is no fault of the storage', () => {
  for (const error of [new Error('something else'), new AppError('BAD_INPUT', 'os error 28')])
    expect(storageFault(error, log)).toBe(error);
});
