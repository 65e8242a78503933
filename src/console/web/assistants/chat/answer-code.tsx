import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../texts/text.ts';
import { CodeBlock } from '../../ui/code-block.tsx';

type Highlight = typeof import('./highlight.ts').highlight;

type AnswerCodeProps = { language: string | undefined; code: string };

/**
 * A block of code in an answer, which can be copied. The grammars are loaded with the first block
 * that names a language; until then, and if they cannot be loaded, the code has no colours.
 */
export function AnswerCode({ language, code }: AnswerCodeProps) {
  const [highlight, setHighlight] = useState<Highlight>();
  useEffect(() => {
    if (language === undefined) return;
    import('./highlight.ts').then(
      (loaded) => setHighlight(() => loaded.highlight),
      () => undefined,
    );
  }, [language]);
  return (
    <CodeBlock label={language ?? t('chat.code')} text={code} copyLabel={t('chat.copyCode')}>
      {language !== undefined && highlight ? colored(highlight, language, code) : code}
    </CodeBlock>
  );
}

const colored = (highlight: Highlight, language: string, code: string): ReactNode =>
  highlight(language, code)?.map(({ text, className }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity besides their position
    <span key={index} className={className || undefined}>
      {text}
    </span>
  )) ?? code;
