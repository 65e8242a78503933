import type { Mail } from './mail.ts';

type Letter = {
  to: string;
  subject: string;
  paragraphs: readonly string[];
  /** The one thing to do, as a link. */
  action?: { label: string; url: string };
  /** What stands below it, in small print. */
  notes?: readonly string[];
};

/** A short mail, as text and as simple HTML that says the same. */
export function letter({ to, subject, paragraphs, action, notes = [] }: Letter): Mail {
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
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body>\n${html}\n</body></html>\n`,
  };
}

const nameMax = 80;

/**
 * A name that somebody else chose, so that a reader sees where it begins and ends, and no mail
 * program makes a link of it.
 */
export function quotedName(name: string): string {
  const plain = name
    .replaceAll(/\s+/g, ' ')
    .replaceAll('://', ' ')
    .replaceAll(/\.(?=\S)/g, '. ');
  const short = [...plain];
  return `“${short.length > nameMax ? `${short.slice(0, nameMax - 1).join('')}…` : plain}”`;
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
