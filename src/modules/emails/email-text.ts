import type { GetICUArgs } from '@schummar/icu-type-parser';
import compile from 'icu-minify/compile';
import format, { type CompiledMessage, type FormatOptions } from 'icu-minify/format';
import type { Language } from '../../platform/database/generated/client.ts';
import { localeOf } from '../../platform/language.ts';
import { emailTexts as german } from './texts/de.ts';
import { type EmailTexts, emailTexts as english } from './texts/en.ts';

type English = typeof english;
type EmailTextKey = keyof English;

type ArgumentsOf<Key extends EmailTextKey> = GetICUArgs<
  English[Key],
  { ICUArgument: string | number; ICUNumberArgument: number; ICUDateArgument: Date }
>;
type PlainKey = {
  [Key in EmailTextKey]: English[Key] extends `${string}{${string}` ? never : Key;
}[EmailTextKey];
type TextArguments<Key extends EmailTextKey> = Key extends PlainKey
  ? []
  : [values: ArgumentsOf<Key>];

const texts: Readonly<Record<Language, EmailTexts>> = { EN: english, DE: german };
const compiled = new Map<string, CompiledMessage>();

/** A text of a mail, by the same message format as the texts of the console. */
export const emailText = <Key extends EmailTextKey>(
  language: Language,
  key: Key,
  ...[values]: TextArguments<Key>
): string => String(format(messageOf(language, key), localeOf(language), values, options));

function messageOf(language: Language, key: EmailTextKey): CompiledMessage {
  const name = `${language}.${key}`;
  const message = compiled.get(name) ?? compile(texts[language][key]);
  compiled.set(name, message);
  return message;
}

const day = { year: 'numeric', month: 'long', day: 'numeric' } as const;
const options: FormatOptions = {
  formats: {
    date: {
      long: day,
      moment: { ...day, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
    },
    number: { amount: { maximumFractionDigits: 6 } },
  },
  formatters: {
    getDateTimeFormat: (...input) => new Intl.DateTimeFormat(...input),
    getNumberFormat: (...input) => new Intl.NumberFormat(...input),
    getPluralRules: (...input) => new Intl.PluralRules(...input),
  },
  timeZone: 'UTC',
};
