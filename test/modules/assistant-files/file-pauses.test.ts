import { describe, expect, it } from 'vitest';
import { createFilePauses } from '../../../src/modules/assistant-files/processing/file-pauses.ts';

/** Pauses with a clock that the test moves. */
function startPauses({ othersAreActive = true, processors = 2 } = {}) {
  let time = 0;
  const pauses = createFilePauses({
    areOthersActive: () => othersAreActive,
    wake: () => undefined,
    now: () => time,
    processors,
  });
  return { ...pauses, moveTo: (ms: number) => (time = ms) };
}
const oneOfMany = { organizationId: 'busy', hasMore: true };

describe('The pauses between the files of an organization', () => {
  it.each([
    [1, 4],
    [2, 4],
    [4, 2],
    [8, 1],
    [64, 1],
  ])(
    'While others are active, on %i processors, the next file waits for the current one and for %i times as long as it took',
    (processors, share) => {
      const { begin, paused, moveTo } = startPauses({ processors });
      const end = begin(oneOfMany);
      moveTo(300);
      expect(paused()).toEqual(['busy']);
      end();
      moveTo(300 + share * 300 - 1);
      expect(paused()).toEqual(['busy']);
      moveTo(300 + share * 300);
      expect(paused()).toEqual([]);
    },
  );

  it('A file that takes long delays the next one by two seconds at most', () => {
    const { begin, paused, moveTo } = startPauses();
    const end = begin(oneOfMany);
    moveTo(2_000);
    expect(paused()).toEqual([]);
    moveTo(60_000);
    end();
    moveTo(61_999);
    expect(paused()).toEqual(['busy']);
    moveTo(62_000);
    expect(paused()).toEqual([]);
  });

  it('The only file of an organization causes no pause', () => {
    const { begin, paused } = startPauses();
    begin({ organizationId: 'quiet', hasMore: false })();
    expect(paused()).toEqual([]);
  });

  it('An organization that is alone does not pause', () => {
    const { begin, paused, moveTo } = startPauses({ othersAreActive: false });
    const end = begin(oneOfMany);
    moveTo(100);
    end();
    expect(paused()).toEqual([]);
  });
});
