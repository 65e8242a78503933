import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/modules/api-keys/key-format.ts';
import { createLog } from '../../src/platform/log.ts';

const { key } = generateKey('ORGANIZATION');

function logged(
  format: 'json' | 'text',
  write: (log: ReturnType<typeof createLog>) => void,
): string {
  let text = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  write(createLog({ LOG_LEVEL: 'info', LOG_FORMAT: format }, sink));
  return text;
}

describe.each(['json', 'text'] as const)('the log as %s', (format) => {
  it('the log contains no API key, wherever it occurs', () => {
    const text = logged(format, (log) => {
      log.info({ note: `with ${key} inside`, nested: { deep: [key] } }, `message with ${key}`);
      log.error({ err: new Error(`failed for ${key}`) }, 'failed');
    });
    expect(text).toContain('message with');
    expect(text).not.toContain(key);
  });

  it('the log contains no value of a field with a secret name', () => {
    const text = logged(format, (log) =>
      log.info(
        {
          password: 'hunter-2',
          user: { token: 'hunter-2' },
          headers: { authorization: 'hunter-2', cookie: 'hunter-2' },
        },
        'signed in',
      ),
    );
    expect(text).toContain('signed in');
    expect(text).not.toContain('hunter-2');
  });
});
