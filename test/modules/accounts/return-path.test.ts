import { expect, it } from 'vitest';
import { parseReturnPath } from '../../../src/modules/accounts/return-path.ts';

it.each([
  '/',
  '/auth?sponsored=abc',
  '/settings/security#sessions',
  '/auth?next=%2Fvault',
  '/a/../b',
  '/x?y=https://evil.example',
])('The return path %s is accepted', (path) => {
  expect(parseReturnPath(path)).toBe(path);
});

it.each([
  '',
  'auth',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/a\tb',
  '/a b',
  '/\n/evil.example',
  '/ü',
  `/${'x'.repeat(2_000)}`,
  null,
  7,
  ['/'],
])('The return path %j is rejected', (path) => {
  expect(parseReturnPath(path)).toBeUndefined();
});
