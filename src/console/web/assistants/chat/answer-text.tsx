import { lazy, Suspense, useMemo } from 'react';
import { t } from '../../texts/text.ts';
import type { Citation } from './turn.ts';

/**
 * The Markdown renderer is larger than the rest of the chat, so it is loaded while the person
 * writes the first question.
 */
export const loadMarkdown = () => import('./markdown.tsx');

const Markdown = lazy(async () => {
  const { Markdown: Text, MarkerContext } = await loadMarkdown();
  return {
    default: ({
      text,
      renderMarker,
    }: {
      text: string;
      renderMarker: (marker: number) => React.ReactNode;
    }) => (
      <MarkerContext value={renderMarker}>
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

/**
 * The text of an answer. Its citation markers become buttons when the citations are known, at the
 * end of the run.
 */
export function AnswerText({ text, citations, onCite }: AnswerTextProps) {
  const renderMarker = useMemo(
    () => (marker: number) => {
      const citation = citations.find((each) => each.marker === marker);
      if (!citation) return `[${marker}]`;
      return (
        <button
          type="button"
          className="assistants-marker"
          aria-label={citationLabel(citation)}
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
        <Markdown text={text} renderMarker={renderMarker} />
      </Suspense>
    </div>
  );
}

export const formatCitation = ({ originalName, page }: Citation): string =>
  page === null ? originalName : t('chat.filePage', { originalName, page });

const citationLabel = (citation: Citation): string =>
  t('chat.sourceOf', { marker: citation.marker, citation: formatCitation(citation) });
