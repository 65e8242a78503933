import { expect, it } from 'vitest';
import { changesOf } from '../../../src/modules/audit/audit-changes.ts';

const of = (changes: Parameters<typeof changesOf>[0]['changes'], targetType = 'Team') =>
  changesOf({ targetType, changes });

it.each([
  [{}, []],
  [null, []],
  [['a'], []],
  [{ name: 'a' }, [{ field: 'name', value: 'a', before: null }]],
  [{ reason: null }, [{ field: 'reason', value: null, before: null }]],
  [{ name: 'b', before: 'a' }, [{ field: 'name', value: 'b', before: 'a' }]],
  [{ limitPerMinute: 5, before: null }, [{ field: 'limitPerMinute', value: 5, before: null }]],
  [
    { status: 'BILLED', statusBefore: 'UNBILLED', amount: 10 },
    [
      { field: 'status', value: 'BILLED', before: 'UNBILLED' },
      { field: 'amount', value: 10, before: null },
    ],
  ],
  [{ end: { from: 'a', to: 'b' } }, [{ field: 'end', value: 'b', before: 'a' }]],
  [
    { range: { from: 'a', to: 'b', unit: 'c' } },
    [{ field: 'range', value: { from: 'a', to: 'b', unit: 'c' }, before: null }],
  ],
])('The stored changes %j are a list with a field each', (stored, changes) => {
  expect(of(stored)).toEqual(changes);
});

it('The text of instructions in old entries is replaced by its digest', () => {
  const [change] = of({ instructions: 'secret' }, 'Assistant');
  expect(change?.value).toEqual({ sha256: expect.any(String), length: 6 });
});
