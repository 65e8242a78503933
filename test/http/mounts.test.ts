import { expect, it } from 'vitest';
import { createMounts } from '../../src/http/mounts.ts';

const names = ['/api', '/api/docs', '/api/openai/v1', '/graphql'];
const handlers = new Map(names.map((name) => [name, async () => new Response(name)]));
const handlerAt = createMounts(Object.fromEntries(handlers));
const mountOf = (pathname: string) =>
  names.find((name) => handlers.get(name) === handlerAt(pathname));

it('A request goes to the handler with the longest prefix of its path', () => {
  expect(mountOf('/api')).toBe('/api');
  expect(mountOf('/api/users/v1/users/1/teams/2')).toBe('/api');
  expect(mountOf('/api/docs/')).toBe('/api/docs');
  expect(mountOf('/api/docs/icon.svg')).toBe('/api/docs');
  expect(mountOf('/api/openai/v1/models')).toBe('/api/openai/v1');
  expect(mountOf('/graphql/')).toBe('/graphql');
});

it('A prefix consists of whole segments', () => {
  expect(mountOf('/api/documents')).toBe('/api');
  expect(mountOf('/api/openai')).toBe('/api');
  for (const pathname of ['/', '/apis', '//api', '*', '/graphqlx'])
    expect(mountOf(pathname)).toBeUndefined();
});
