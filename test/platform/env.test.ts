import { describe, expect, it } from 'vitest';
import { readEnv } from '../../src/platform/env.ts';

describe('the settings', () => {
  it('are complete with nothing set', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 4000,
      DATA_DIR: '.data',
      LOG_LEVEL: 'info',
      ORGANIZATION_KEY_LIMIT: 100,
      USER_KEY_LIMIT: 600,
      GRAPHIQL: true,
      INTROSPECTION: true,
    });
    expect(readEnv({}).DATABASE_URL).toBeUndefined();
  });

  it('take an empty value for an absent one', () => {
    expect(readEnv({ PORT: '', DATABASE_URL: '', REDIS_URL: '' })).toMatchObject({ PORT: 4000 });
  });

  it('close GraphiQL and introspection in production, unless they are opened', () => {
    expect(readEnv({ NODE_ENV: 'production' })).toMatchObject({
      GRAPHIQL: false,
      INTROSPECTION: false,
    });
    expect(
      readEnv({ NODE_ENV: 'production', GRAPHIQL: 'true', INTROSPECTION: 'true' }),
    ).toMatchObject({ GRAPHIQL: true, INTROSPECTION: true });
  });

  it.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '1.5'],
    ['DATABASE_URL', 'mysql://somewhere'],
    ['REDIS_URL', 'http://somewhere'],
    ['ORIGIN', 'ftp://somewhere'],
    ['ORIGIN', 'somewhere'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['ORGANIZATION_KEY_LIMIT', '0'],
    ['USER_KEY_LIMIT', 'many'],
    ['AUTH_SECRET', 'short'],
    ['METRICS_TOKEN', 'short'],
    ['GRAPHIQL', 'yes'],
    ['NODE_ENV', 'staging'],
  ])('refuse %s=%s by its name, without repeating the value of a secret', (name, value) => {
    expect(() => readEnv({ [name]: value })).toThrow(new RegExp(`\\b${name}\\b`));
    if (/SECRET|TOKEN/.test(name))
      expect(() => readEnv({ [name]: value })).not.toThrow(new RegExp(value));
  });

  it('name every fault in one error', () => {
    expect(() => readEnv({ PORT: 'x', LOG_FORMAT: 'y', USER_KEY_LIMIT: 'z' })).toThrow(
      /PORT[\s\S]*LOG_FORMAT[\s\S]*USER_KEY_LIMIT/,
    );
  });
});
