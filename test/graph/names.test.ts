import { describe, expect, it } from 'vitest';
import { textScalar } from '../../src/graph/scalars.ts';
import { quotedName } from '../../src/platform/mail/letter.ts';

const name = textScalar('AName', { min: 0, max: 80, isName: true, description: 'A name.' });
const title = textScalar('ATitle', { min: 1, max: 200, description: 'A title.' });

describe('names', () => {
  it.each([
    'https://evil.example',
    'Win at www.evil',
    'evil.example/login',
    'a\u202eb',
    '\u200b\u200d',
    'a\u0007b',
  ])('are not %j', (text) => {
    expect(() => name.parseValue(text)).toThrow(/^must/);
  });

  it.each([
    '',
    'Ada',
    'Dr. Müller-Lüdenscheidt',
    'Amazon.com Inc.',
    'O’Neil & Sons',
    '株式会社',
    'م. أحمد',
    'Node.js',
    '👩‍💻',
  ])('can be %j', (text) => {
    expect(name.parseValue(text)).toBe(text);
  });

  it('of campaigns may name a site, and must be visible as well', () => {
    expect(title.parseValue('https://partner.example')).toBe('https://partner.example');
    expect(() => title.parseValue('\u200b')).toThrow('must contain a visible character');
    expect(() => title.parseValue('x\u2066y')).toThrow('direction');
  });

  it('are quoted in mails, short, and no link', () => {
    expect(quotedName('Ada')).toBe('“Ada”');
    expect(quotedName('See https://evil.example/x now')).toBe('“See https evil. example/x now”');
    expect([...quotedName('x'.repeat(500))]).toHaveLength(82);
  });
});
