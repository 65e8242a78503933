import { expect, it } from 'vitest';
import { AppError } from '../../../src/platform/errors.ts';
import { storageFault } from '../../../src/vault/vector-db/storage-fault.ts';
import { recordLog } from '../../support/vault.ts';

const { log } = recordLog();

// The messages of Lance 0.31 for a full file system and for one that was unmounted.
it.each([
  [
    'STORAGE_FULL',
    'lance error: LanceError(IO): No space left on device (os error 28), /build/lance-file/src/writer.rs:319:9',
  ],
  [
    'UNAVAILABLE',
    'Failed to get next batch from stream: lance error: LanceError(IO): Object at location /data/tokens.lance not found: No such file (os error 2)',
  ],
])('A storage error becomes %s without details of the storage', (code, message) => {
  const fault = storageFault(new Error(message), log);
  expect(fault).toMatchObject({ code });
  expect(String(fault)).not.toMatch(/lance|\/data|os error/i);
});

it('An error that is not caused by the storage is returned unchanged', () => {
  for (const error of [new Error('something else'), new AppError('BAD_INPUT', 'os error 28')])
    expect(storageFault(error, log)).toBe(error);
});
