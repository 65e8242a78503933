import { lazy, Suspense, useMemo } from 'react';
import type { Citation } from './conversation.ts';

/**
 * Reading markdown takes more code than the rest of the chat. It comes while the first question is
 * written.
 */
export const loadMarkdown = () => import('./markdown.tsx');

const Markdown = lazy(async () => {
  const { Markdown: Text, MarkerContext } = await loadMarkdown();
  return {
    default: ({ text, show }: { text: string; show: (marker: number) => React.ReactNode }) => (
      <MarkerContext value={show}>
        <Text text={text} />
      </MarkerContext>
    ),
  };
});

type AnswerTextProps = {
  text: string;
  citations: readonly Citation[];
  onCite: (citation: Citation) => void;
};

/** What an assistant says. Its markers open what they cite, once it is known what that is. */
export function AnswerText({ text, citations, onCite }: AnswerTextProps) {
  const show = useMemo(
    () => (marker: number) => {
      const citation = citations.find((one) => one.marker === marker);
      if (!citation) return `[${marker}]`;
      return (
        <button
          type="button"
          className="assistants-marker"
          aria-label={labelOf(citation)}
          title={citation.quote}
          onClick={() => onCite(citation)}
        >
          {marker}
        </button>
      );
    },
    [citations, onCite],
  );
  return (
    <div className="assistants-prose">
      <Suspense fallback={<p className="assistants-plain">{text}</p>}>
        <Markdown text={text} show={show} />
      </Suspense>
    </div>
  );
}

export const placeOf = ({ originalName, page }: Citation): string =>
  page === null ? originalName : `${originalName}, page ${page}`;

const labelOf = (citation: Citation): string => `Source ${citation.marker}: ${placeOf(citation)}`;
