import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { watchAccess } from '../../src/graph/watch-access.ts';
import { AppError } from '../../src/platform/errors.ts';

const fine = async () => true;
const left = () => new AbortController();

function untilAborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true }),
  );
}

describe('the watch over a long answer', () => {
  it('ends it when the key or session no longer stands for the organization', async () => {
    const { signal } = watchAccess(
      { signal: left().signal, isStillAdmitted: async () => false },
      fine,
    );
    expect(await untilAborted(signal)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('ends it when what is read is no longer shared', async () => {
    const refused = () => Promise.reject(new AppError('FORBIDDEN', 'Assistant not available'));
    const { signal } = watchAccess({ signal: left().signal, isStillAdmitted: fine }, refused);
    expect(await untilAborted(signal)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('does not end it when the database is out of reach, nor after it was stopped', async () => {
    let looks = 0;
    const away = () => {
      looks += 1;
      return Promise.reject(new AppError('UNAVAILABLE', 'The database is out of reach'));
    };
    const { signal, stop } = watchAccess({ signal: left().signal, isStillAdmitted: fine }, away);
    while (looks < 2) await pause(20);
    expect(signal.aborted).toBe(false);
    stop();
    await pause(700);
    expect(looks).toBe(2);
  });
});
