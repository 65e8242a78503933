import { describe, expect, it } from 'vitest';
import { misspelledVariables, readEnv } from '../../src/platform/env.ts';

describe('readEnv', () => {
  it('every setting has a default or may be absent', () => {
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

  it('an empty value counts as absent', () => {
    expect(readEnv({ PORT: '', DATABASE_URL: '', REDIS_URL: '' })).toMatchObject({ PORT: 4000 });
  });

  it('GraphiQL and introspection are off in production, unless they are enabled', () => {
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
    ['ORIGIN', 'https://atrium.example/below'],
    ['ORIGIN', 'https://atrium.example?query'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['ORGANIZATION_KEY_LIMIT', '0'],
    ['USER_KEY_LIMIT', 'many'],
    ['AUTH_SECRET', 'short'],
    ['METRICS_TOKEN', 'short'],
    ['GRAPHIQL', 'yes'],
    ['GRAPHQL_DOCUMENT_POLICY', 'never'],
    ['GRAPHQL_DOCUMENT_POLICY', 'session=require,robots=allow'],
    ['GRAPHQL_DOCUMENT_POLICY', 'session=require=allow'],
    ['NODE_ENV', 'staging'],
  ])(
    'the value %s=%s is rejected with the name of the setting, without repeating the value of a secret',
    (name, value) => {
      expect(() => readEnv({ [name]: value })).toThrow(new RegExp(`\\b${name}\\b`));
      if (/SECRET|TOKEN/.test(name))
        expect(() => readEnv({ [name]: value })).not.toThrow(new RegExp(value));
    },
  );

  it.each([
    [{ PORT: 'abc' }, 'PORT: must be a number'],
    [{ PORT: '1.5' }, 'PORT: must be a whole number'],
    [{ PORT: '65536' }, 'PORT: must be at most 65535'],
    [{ PORT: '-1' }, 'PORT: must be at least 0'],
    [{ LOG_FORMAT: 'xml' }, 'LOG_FORMAT: must be one of text, json'],
    [{ GRAPHIQL: 'yes' }, 'GRAPHIQL: must be one of true, false'],
    [{ AUTH_SECRET: 'short' }, 'AUTH_SECRET: must have at least 32 characters'],
    [
      { DATABASE_URL: 'localhost:5432' },
      'DATABASE_URL: must be an address such as postgres://user:password@db.example.com:5432/atrium',
    ],
    // A password with a slash.
    [
      { DATABASE_URL: 'postgres://atrium:aB/c@db.example.com:5432/atrium' },
      'DATABASE_URL: must be an address such as postgres://user:password@db.example.com:5432/atrium. In the password special characters are percent-encoded, for example %2F for /',
    ],
    [
      { DATABASE_URL: 'postgres://atrium:50/c@db.example.com:5432/atrium' },
      'DATABASE_URL: must be an address such as postgres://user:password@db.example.com:5432/atrium. In the password special characters are percent-encoded, for example %2F for /',
    ],
    [
      { REDIS_URL: 'redis://:a#b@redis.example.com:6379' },
      'REDIS_URL: must be an address such as redis://:password@redis.example.com:6379. In the password special',
    ],
    [{ VAULT_URL: 'vault:4100' }, 'VAULT_URL: must begin with http:// or https://'],
    [{ MODEL_PRICES: '{"currency":"EUR"}' }, 'MODEL_PRICES.models: must be set'],
    [{ MODEL_PROVIDERS: '{"a":7}' }, 'MODEL_PROVIDERS.a: must be an object'],
  ])('%j is rejected with what the setting must be', (source, sentence) => {
    expect(() => readEnv(source)).toThrow(`These settings are wrong:\n  ${sentence}`);
  });

  it('a variable that is spelled almost like a setting is reported with that setting', () => {
    const misspelled = {
      DATABSE_URL: 'DATABASE_URL',
      DATABASE_URI: 'DATABASE_URL',
      LOG_LEVLE: 'LOG_LEVEL',
      LOG_LEVELS: 'LOG_LEVEL',
      SMTP_RL: 'SMTP_URL',
      auth_secret: 'AUTH_SECRET',
    };
    expect(misspelledVariables({ ...misspelled, SMTP_UR: '' })).toEqual(
      Object.entries(misspelled).map(([name, meant]) => ({ name, meant })),
    );
    const others = ['HOSTNAME', 'HOME', 'PWD', 'POST', 'NODE_OPTIONS', 'AWS_REGION', 'LOG_DIR'];
    expect(
      misspelledVariables(Object.fromEntries([...others, 'ORIGIN'].map((name) => [name, 'x']))),
    ).toEqual([]);
  });

  it('the policy for GraphQL documents is one for all callers, or one for each kind', () => {
    const policyOf = (text: string) =>
      readEnv({ GRAPHQL_DOCUMENT_POLICY: text }).GRAPHQL_DOCUMENT_POLICY;
    const everybody = { SESSION: 'allow', USER_KEY: 'allow', ORGANIZATION_KEY: 'allow' };
    expect(policyOf('')).toEqual({ ...everybody, ANONYMOUS: 'allow' });
    expect(Object.values(policyOf('require'))).toEqual(Array(4).fill('require'));
    expect(policyOf('user-key=prefer, anonymous=require')).toEqual({
      ...everybody,
      USER_KEY: 'prefer',
      ANONYMOUS: 'require',
    });
  });

  it('one error lists every invalid setting', () => {
    expect(() => readEnv({ PORT: 'x', LOG_FORMAT: 'y', USER_KEY_LIMIT: 'z' })).toThrow(
      /PORT[\s\S]*LOG_FORMAT[\s\S]*USER_KEY_LIMIT/,
    );
  });
});
