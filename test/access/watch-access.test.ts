import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { watchAccess } from '../../src/access/watch-access.ts';
import { AppError } from '../../src/platform/errors.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const allowed = async () => true;
const newController = () => new AbortController();

function untilAborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true }),
  );
}

describe('watchAccess', () => {
  it('the signal is aborted when the key or session no longer belongs to the organization', async () => {
    const { signal } = watchAccess(
      { signal: newController().signal, isStillAdmitted: async () => false },
      {},
    );
    expect(await untilAborted(signal)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('the signal is aborted when the resource is no longer shared', async () => {
    const refused = () =>
      Promise.reject(
        new AppError('FORBIDDEN', 'Assistant not available', 'ASSISTANT_NOT_AVAILABLE'),
      );
    const { signal } = watchAccess(
      { signal: newController().signal, isStillAdmitted: allowed },
      {},
      refused,
    );
    expect(await untilAborted(signal)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('the signal is not aborted when the database cannot be reached, and no check runs after stop', async () => {
    let checks = 0;
    const unreachable = () => {
      checks += 1;
      return Promise.reject(new AppError('UNAVAILABLE', 'The database cannot be reached'));
    };
    const { signal, stop } = watchAccess(
      { signal: newController().signal, isStillAdmitted: allowed },
      {},
      unreachable,
    );
    while (checks < 2) await pause(20);
    expect(signal.aborted).toBe(false);
    stop();
    await pause(700);
    expect(checks).toBe(2);
  });

  it('a check in progress when the watch stops does not check the resource', async () => {
    const admissionAsked = Promise.withResolvers<void>();
    const admitted = Promise.withResolvers<boolean>();
    let resourceChecks = 0;
    const { signal, stop } = watchAccess(
      {
        signal: newController().signal,
        isStillAdmitted: () => {
          admissionAsked.resolve();
          return admitted.promise;
        },
      },
      {},
      async () => {
        resourceChecks += 1;
      },
    );
    await admissionAsked.promise;
    stop();
    admitted.resolve(true);
    await pause(20);
    expect({ resourceChecks, aborted: signal.aborted }).toEqual({
      resourceChecks: 0,
      aborted: false,
    });
  });

  it('the signal is aborted with the reason of the request', async () => {
    const request = newController();
    const { signal } = watchAccess({ signal: request.signal, isStillAdmitted: allowed }, {});
    request.abort(new Error('The client has disconnected'));
    expect(signal.reason).toMatchObject({ message: 'The client has disconnected' });
    const late = watchAccess({ signal: request.signal, isStillAdmitted: allowed }, {});
    expect(late.signal.aborted).toBe(true);
  });

  it('nothing of a request is kept after its watch has stopped', async () => {
    const requests = Array.from({ length: 20 }, () => {
      const request = { body: 'of the request' };
      const { signal, stop } = watchAccess(
        { signal: newController().signal, isStillAdmitted: allowed },
        {},
      );
      signal.addEventListener('abort', () => request.body.length);
      stop();
      return new WeakRef(request);
    });
    // A register of the engine can still hold the last one for a while.
    await expect
      .poll(async () => {
        await collectGarbage();
        return requests.filter((request) => request.deref());
      })
      .toEqual([]);
  });
});
