import { language, locale } from './language.ts';

const cached = <Options, Format>(create: (locale: string, options?: Options) => Format) => {
  const formats = new Map<string, Format>();
  return (options?: Options): Format => {
    const key = locale() + JSON.stringify(options);
    const format = formats.get(key) ?? create(locale(), options);
    formats.set(key, format);
    return format;
  };
};

// Creating a format takes longer than using it a hundred times.
export const dateFormat = cached(
  (tag, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
);
export const numberFormat = cached(
  (tag, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options),
);
export const pluralRules = cached(
  (tag, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(tag, options),
);
export const relativeTimeFormat = cached(
  (tag, options?: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(tag, options),
);

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  numberFormat(options).format(value);

export const formatDate = (value: Date, options: Intl.DateTimeFormatOptions): string =>
  dateFormat(options).format(value);

/** A label in the middle of a sentence. German keeps the capital letters of its nouns. */
export const insideSentence = (label: string): string =>
  language() === 'en' ? label.toLowerCase() : label;
