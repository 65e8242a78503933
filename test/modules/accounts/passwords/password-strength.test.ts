import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, it } from 'vitest';
import { passwordMin } from '../../../../src/modules/accounts/passwords/new-password.ts';
import { isEasyToGuess } from '../../../../src/modules/accounts/passwords/password-strength.ts';

const person = ['grace.hopper@navy.example', 'Grace', 'Hopper'];

describe('the strength of a new password', () => {
  it.each([
    ...[
      '1234567890',
      '0987654321',
      'aaaaaaaaaa',
      'password123',
      'Passw0rd!!!',
      'qwertyuiop',
      'qwerty12345',
      'abcabcabcabc',
      'iloveyou1234',
    ],
    ...[
      '1q2w3e4r5t',
      '1qaz2wsx3e',
      'Sommer2026!',
      'welcome2026',
      '1111122222',
      'letmein!!!!',
      'administrator',
      'passwordpassword',
      'Atrium2026!',
    ],
    ...['Willkommen1', 'p@ssw0rd2026', 'constructor1', 'a'.repeat(128), 'ab'.repeat(64)],
  ])('The password %j is rejected because attackers try it first', (password) => {
    expect(isEasyToGuess(password)).toBe(true);
  });

  it('The 3,000 most frequent leaked passwords are rejected', () => {
    const { 'passwords-common': leaked } = dictionary;
    const isLongEnough = (password: string) => password.length >= passwordMin;
    const [first, further] = [
      leaked.slice(0, 3_000).filter(isLongEnough),
      leaked.slice(3_000).filter(isLongEnough),
    ];
    const sample = [...first, ...further.filter((_, index) => index % 5 === 0)];
    expect(first.length).toBeGreaterThan(30);
    expect(sample.length).toBeGreaterThan(300);
    expect(sample.filter((password) => !isEasyToGuess(password))).toEqual([]);
  });

  it.each([
    'grace.hopper@navy.example',
    'GraceHopper',
    'hopper1906',
    'Hopper2026!',
    'Gr4ceGr4ce',
    'Grace.Hopper1906',
    'grace.hopper-2026!',
  ])('The password %j is rejected for Grace Hopper', (password) => {
    expect(isEasyToGuess(password, person)).toBe(true);
  });

  it.each([
    ...[
      'a horse, a battery, a staple',
      'correct horse',
      'Tr0ub4dor&3',
      'kR8!mmQz0p',
      'blauer Elefant',
      '3f9c2e7a1b',
      'zwölf Boxkämpfer',
    ],
    ...['the first password', 'a good password', 'open sesame and more', 'Grace likes compilers'],
  ])('The password %j is accepted', (password) => {
    expect(isEasyToGuess(password, person)).toBe(false);
  });
});
