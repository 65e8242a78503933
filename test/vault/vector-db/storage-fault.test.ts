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

it.each([
  ['STORAGE_FULL', '53100', 'could not extend file "base/5/16501": No space left on device'],
  ['UNAVAILABLE', '53300', 'sorry, too many clients already'],
  ['UNAVAILABLE', '25006', 'cannot execute UPDATE in a read-only transaction'],
  ['UNAVAILABLE', '57P01', 'terminating connection due to administrator command'],
  ['UNAVAILABLE', '58030', 'could not read block 3 in file "base/5/16501"'],
])('An error of Postgres becomes %s by its SQLSTATE %s', (code, state, message) => {
  const error = Object.assign(new Error(message), { code: state, severity: 'ERROR' });
  const fault = storageFault(error, log);
  expect(fault).toMatchObject({ code });
  expect(String(fault)).not.toContain(message);
});

it('A lost connection to Postgres becomes UNAVAILABLE', () => {
  for (const error of [
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
  ])
    expect(storageFault(error, log)).toMatchObject({ code: 'UNAVAILABLE' });
});

it('An error of a statement of Postgres is returned unchanged', () => {
  const error = Object.assign(new Error('division by zero'), { code: '22012', severity: 'ERROR' });
  expect(storageFault(error, log)).toBe(error);
});

it('An error that is not caused by the storage is returned unchanged', () => {
  for (const error of [new Error('something else'), new AppError('BAD_INPUT', 'os error 28')])
    expect(storageFault(error, log)).toBe(error);
});
