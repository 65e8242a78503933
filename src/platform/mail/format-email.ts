import type { Language } from '../database/generated/client.ts';
import { languageTag } from '../language.ts';
import type { EmailMessage } from './mailer.ts';

type EmailContent = {
  to: string;
  language: Language;
  subject: string;
  paragraphs: readonly string[];
  /** A link or button for the one action that the email asks for. */
  action?: { label: string; url: string };
  /** Small print below the action. */
  notes?: readonly string[];
};

/** A short email as plain text and as HTML with the same content. */
export function formatEmail({
  to,
  language,
  subject,
  paragraphs,
  action,
  notes = [],
}: EmailContent): EmailMessage {
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...notes,
  ].join('\n\n');
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    ...(action
      ? [`<p><a href="${escaped(action.url)}"><strong>${escaped(action.label)}</strong></a></p>`]
      : []),
    ...notes.map((note) => `<p><small>${escaped(note)}</small></p>`),
  ].join('\n');
  return {
    to,
    subject: subject.replaceAll(/\s+/g, ' '),
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="${languageTag(language)}" dir="ltr"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body>\n${html}\n</body></html>\n`,
  };
}

const nameMax = 80;

const quotationMarks: Readonly<Record<Language, readonly [string, string]>> = {
  EN: ['“', '”'],
  DE: ['„', '“'],
};

/**
 * Quotes a name that another user chose: the reader sees where it starts and ends, and no mail
 * program turns it into a link.
 */
export function quotedName(name: string, language: Language): string {
  const plain = name
    .replaceAll(/\s+/g, ' ')
    .replaceAll('://', ' ')
    .replaceAll(/\.(?=\S)/g, '. ');
  const short = [...plain];
  const [before, after] = quotationMarks[language];
  return `${before}${short.length > nameMax ? `${short.slice(0, nameMax - 1).join('')}…` : plain}${after}`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
