import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { embedByHashing, hashingSpace, meaningShareOf } from '../../../src/vault/embed/hashing.ts';

const similarity = (first: string, second: string) => {
  const [a, b] = [embedByHashing(first), embedByHashing(second)];
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
};

describe('embedByHashing', () => {
  test('Every text has a reproducible vector of length 1, or of zeros if it contains no words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const vector = embedByHashing(text);
        const length = Math.hypot(...vector);
        expect(vector).toHaveLength(hashingSpace.dimensions);
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
        expect(embedByHashing(text)).toEqual(vector);
      }),
      { numRuns: 300 },
    );
    expect(Math.hypot(...embedByHashing(' — … !'))).toBe(0);
  });

  test('The vectors of an embedding space do not change between releases', () => {
    expect(
      Array.from(embedByHashing('Jahresurlaub'), (value) =>
        Math.abs(value) < 1e-9 ? 0 : Math.sign(value),
      ).slice(0, 24),
    ).toMatchSnapshot();
  });

  test.each([
    ['Prüfung', 'PRUEFUNG'],
    ['Straße', 'strasse'],
    ['Café', 'cafe\u0301'],
    ['1.250,00', '1,250.00'],
    ['Über\u00ADstunden', 'überstunden'],
    ['ﬁnance', 'finance'],
  ])('%s and %s have the same vector', (first, second) => {
    expect(similarity(first, second)).toBeGreaterThan(0.999);
  });

  test.each([
    [
      'how many vacation days do I have',
      'Employees have 30 vacation days a year',
      'The printer is on the second floor',
    ],
    ['Urlaub', 'Der Jahresurlaub beträgt 30 Tage', 'Die Kantine öffnet um elf Uhr'],
    [
      'Reisekosten',
      'Dienstreisen und Spesen: Die Reisekostenabrechnung',
      'Die Elternzeit beginnt mit der Geburt',
    ],
    ['有給休暇', '社員には年次有給休暇が与えられます', '食堂は十一時に開きます'],
    ['отпуск', 'Ежегодный отпуск составляет тридцать дней', 'Столовая открыта с одиннадцати'],
  ])('The query "%s" is nearer to "%s" than to "%s"', (question, similar, different) => {
    expect(similarity(question, similar)).toBeGreaterThan(similarity(question, different) + 0.1);
  });

  test.each([
    ['Where does my doctor work?', 'Physicians are in the hospital.', 'Ships sail at noon.'],
    ['How do I get my money back?', 'Refunds are paid within a week.', 'Lamps are switched off.'],
    ['My automobile broke down', 'Repairs of cars take two days.', 'Books are lent for a month.'],
    ['I fell ill', 'Sick employees tell their manager.', 'Rooms are booked by e-mail.'],
  ])(
    'The English query "%s" is nearer to "%s", which has other words, than to "%s"',
    (...texts) => {
      const [question, similar, different] = texts;
      expect(similarity(question, similar)).toBeGreaterThan(similarity(question, different) + 0.05);
    },
  );

  test('The meaning of a query is told as far as its words are known', () => {
    expect(meaningShareOf('How do I return a book?')).toBe(1);
    expect(meaningShareOf('extension 231')).toBe(0.5);
    expect(meaningShareOf('Wo gebe ich das Buch zurück?')).toBeLessThan(0.5);
    expect(meaningShareOf('')).toBe(0);
  });

  test('Stop words have little weight', () => {
    expect(similarity('what is the budget of this', 'budget')).toBeGreaterThan(0.8);
    expect(
      Math.abs(similarity('what is the budget of this', 'what is the garden of this')),
    ).toBeLessThan(0.35);
  });
});
