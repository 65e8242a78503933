import { describe, expect, it } from 'vitest';
import { createRouter, MethodNotAllowed } from '../../src/http/router.ts';
import { AppError } from '../../src/platform/errors.ts';

const { match, routesAt } = createRouter([
  { method: 'GET', path: '/users' },
  { method: 'POST', path: '/users' },
  { method: 'GET', path: '/users/:userId' },
  { method: 'POST', path: '/users/add' },
]);
const errorOf = (method: string, pathname: string): unknown => {
  try {
    return match(method, pathname);
  } catch (error) {
    return error;
  }
};

describe('the router', () => {
  it('A literal segment takes precedence over a parameter', () => {
    expect(match('POST', '/users/add').route.path).toBe('/users/add');
    expect(match('GET', '/users/add')).toMatchObject({ params: { userId: 'add' } });
  });

  it('One slash at the end is ignored, and an empty segment matches no parameter', () => {
    expect(match('GET', '/users/').route.path).toBe('/users');
    expect(errorOf('GET', '/users//')).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('HEAD uses the route for GET', () => {
    expect(match('HEAD', '/users').route.method).toBe('GET');
  });

  it('The error for another method names the methods of the path', () => {
    const error = errorOf('DELETE', '/users');
    expect(error).toBeInstanceOf(MethodNotAllowed);
    expect(error).toMatchObject({ allow: 'GET, HEAD, POST' });
    expect(routesAt('/users')).toHaveLength(2);
  });

  it('Parameters are decoded, and malformed escapes are kept unless the server rejects them', () => {
    expect(match('GET', '/users/a%20b').params).toEqual({ userId: 'a b' });
    expect(match('GET', '/users/%zz').params).toEqual({ userId: '%zz' });
    const strict = createRouter([{ method: 'GET', path: '/:name' }], () => {
      throw new AppError('BAD_INPUT', 'not an address');
    });
    expect(() => strict.match('GET', '/%zz')).toThrow('not an address');
  });
});
