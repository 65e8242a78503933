import { useMemo } from 'react';
import { t } from '../../texts/text.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { Citation } from './turn.ts';

/**
 * The Markdown renderer is larger than the rest of the chat, so it is loaded while the person
 * writes the first question.
 */
export const loadMarkdown = () => import('./markdown.tsx');

type MarkdownProps = { text: string; renderMarker: (marker: number) => React.ReactNode };

const Markdown = lazyPart<MarkdownProps>(
  async () => {
    const { Markdown: Text, MarkerContext } = await loadMarkdown();
    return ({ text, renderMarker }) => (
      <MarkerContext value={renderMarker}>
        <Text text={text} />
      </MarkerContext>
    );
  },
  (_, { text }) => <p className="assistants-plain">{text}</p>,
);

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
      <Markdown text={text} renderMarker={renderMarker} />
    </div>
  );
}

export const formatCitation = ({ originalName, page }: Citation): string =>
  page === null ? originalName : t('chat.filePage', { originalName, page });

const citationLabel = (citation: Citation): string =>
  t('chat.sourceOf', { marker: citation.marker, citation: formatCitation(citation) });
