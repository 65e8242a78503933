import { type Language, languageOf } from '../words.ts';

const greeting: Record<Language, RegExp> = {
  de: /^(?:hallo|guten (?:tag|morgen|abend)|moin|servus|grüß (?:gott|dich)|gruess gott)\b/i,
  en: /^(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings)\b/i,
};
const thanks: Record<Language, RegExp> = {
  de: /^(?:danke|vielen dank|besten dank|herzlichen dank)\b/i,
  en: /^(?:thanks|thank you|many thanks|cheers)\b/i,
};
const wordsMax = 4;

const greetingAnswer: Record<Language, string> = {
  de: 'Guten Tag! Fragen Sie mich etwas zu den Dateien dieses Assistenten.',
  en: 'Hello! Ask me something about the files of this assistant.',
};
const thanksAnswer: Record<Language, string> = {
  de: 'Gern. Fragen Sie mich gern noch etwas zu den Dateien dieses Assistenten.',
  en: 'You are welcome. Ask me anything else about the files of this assistant.',
};

/** The answer to a greeting or to thanks; undefined for everything else, such as "Hi, what is …". */
export function smallTalkAnswer(question: string): string | undefined {
  const text = question.trim();
  if (text.length > 60 || text.split(/\s+/).length > wordsMax || text.includes('?'))
    return undefined;
  for (const language of ['de', 'en'] as const) {
    if (greeting[language].test(text)) return greetingAnswer[language];
    if (thanks[language].test(text)) return thanksAnswer[language];
  }
  return undefined;
}

const refersBack: Record<Language, RegExp> = {
  de: /^(?:und|aber|auch|was ist mit|wie (?:ist|sieht) es)\b|\b(?:davon|dafür|dafuer|dazu|dort|daran|dies|diese[rsmn]?|es)\b/i,
  en: /^(?:and|but|also|what about|how about)\b|\b(?:it|its|that|this|they|them|those|there)\b/i,
};
const followUpWordsMax = 12;

/** Whether a question can only be understood with the one before it: "And on Sundays?" */
export function isFollowUp(question: string, contentWordCount: number): boolean {
  if (question.split(/\s+/).length > followUpWordsMax) return false;
  const language = languageOf(question) ?? 'en';
  return contentWordCount <= 2 && refersBack[language].test(question.trim());
}
