import { describe, expect, it } from 'vitest';
import { text as textRule } from '../../../src/graph/schema/input-rules.ts';
import { quotedName } from '../../../src/platform/mail/format-email.ts';

const name = textRule({ min: 0, max: 80, isName: true });
const title = textRule({ min: 1, max: 200 });

describe('names and titles', () => {
  it.each([
    'https://evil.example',
    'Win at www.evil',
    'evil.example/login',
    'a\u202eb',
    '\u200b\u200d',
    'a\u0007b',
  ])('%j is rejected as a name', (text) => {
    expect(() => name.parse(text)).toThrow(/^must/);
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
  ])('%j is accepted as a name', (text) => {
    expect(name.parse(text)).toBe(text);
  });

  it('a title may contain a site address, and must be visible', () => {
    expect(title.parse('https://partner.example')).toBe('https://partner.example');
    expect(() => title.parse('\u200b')).toThrow('must contain a visible character');
    expect(() => title.parse('x\u2066y')).toThrow('direction');
  });

  it('names in emails are quoted, shortened, and cannot become links', () => {
    expect(quotedName('Ada', 'EN')).toBe('“Ada”');
    expect(quotedName('See https://evil.example/x now', 'EN')).toBe(
      '“See https evil. example/x now”',
    );
    expect([...quotedName('x'.repeat(500), 'EN')]).toHaveLength(82);
  });
});
