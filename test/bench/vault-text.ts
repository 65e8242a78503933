import { mulberry32 } from '../support/mulberry32.ts';

const syllables =
  'ba,bel,cor,da,den,do,fa,fi,gar,gen,ha,in,ka,kon,la,lin,ma,mer,mo,na,nor,o,pa,per,ra,rin,sa,sol,ta,ten,ter,u,va,vor,wa,zen'.split(
    ',',
  );
const commonWords = 'the,of,and,to,in,is,for,that,with,as,on,by,it,are,be,from,at,this,or,an'.split(
  ',',
);
const wordCount = 30_000;
const questionKinds = ['a name of its own', 'rare words', 'common and rare words', 'a sentence'];

export type TextMaker = ReturnType<typeof createTextMaker>;

/**
 * Generates text of words of which few are frequent and most are rare, as in a natural language.
 * The same seed gives the same text.
 */
export function createTextMaker(seed: number) {
  const random = mulberry32(seed);
  const words = Array.from(
    { length: wordCount },
    (_, rank) =>
      commonWords[rank] ??
      Array.from({ length: 2 + (rank % 3) }, () => pickRandom(syllables)).join(''),
  );
  function pickRandom(words: readonly string[]): string {
    return words[Math.floor(random() * words.length)] ?? '';
  }
  const frequent = () => words[Math.floor(random() ** 3 * wordCount)] ?? '';
  const phrase = (count: number, word: () => string) =>
    Array.from({ length: count }, word).join(' ');
  const sentence = () => `${phrase(8 + Math.floor(random() * 12), frequent)}.`;
  let passages = 0;

  /**
   * A passage of about the length that the vault uses, with one name that no other passage
   * contains.
   */
  const passage = (): string => {
    let text = `Part ${nameOf(passages++)}:`;
    while (text.length < 1_500) text += ` ${sentence()}`;
    return text;
  };
  return {
    passage,
    /** A file of about this size, generated while it is read. */
    async *file(bytes: number): AsyncGenerator<Uint8Array> {
      for (let writtenBytes = 0; writtenBytes < bytes; ) {
        const text = Buffer.from(`${passage()}\n\n`);
        writtenBytes += text.length;
        yield text;
      }
    },
    /** The questions are of every kind in turn and all different. */
    question(number: number): string {
      const kind = questionKinds[number % questionKinds.length];
      if (kind === 'a name of its own') return nameOf(Math.floor(random() * passages));
      if (kind === 'rare words') return phrase(3, () => pickRandom(words));
      if (kind === 'common and rare words')
        return `${phrase(4, frequent)} ${phrase(2, () => pickRandom(words))}`;
      return sentence();
    },
  };
}

const nameOf = (passage: number) => `AX-${(passage * 7_919 + 100_003).toString(36)}`;
