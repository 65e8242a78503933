import { Fragment, useEffect, useRef, useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ExcerptDocument } from '../documents.ts';
import type { Citation } from './conversation.ts';
import { type ExcerptPart, isQuoteUnchanged, markQuote } from './mark-quote.ts';

const contextCharacters = 1_200;
const moreCharacters = 4_000;
// The maximum length of one excerpt, minus the quote itself.
const excerptCharactersMax = 19_000;

type SourceTextProps = { assistantId: string; citation: Citation };

/** A quote with the text around it, of which the person can load more. */
export function SourceText({ assistantId, citation }: SourceTextProps) {
  const { documentId } = citation;
  if (documentId === null) {
    return (
      <>
        <Quote text={citation.quote} />
        <p className="hint">
          This passage is from the file attached to the question. Attached files are not stored.
        </p>
      </>
    );
  }
  return <StoredText assistantId={assistantId} documentId={documentId} citation={citation} />;
}

const Quote = ({ text }: { text: string }) => (
  <blockquote className="assistants-quote">
    <mark>{text}</mark>
  </blockquote>
);

function StoredText({
  assistantId,
  documentId,
  citation,
}: SourceTextProps & { documentId: string }) {
  const [context, setContext] = useState({ before: contextCharacters, after: contextCharacters });
  const range = {
    start: Math.max(0, citation.start - context.before),
    end: citation.end + context.after,
  };
  const { data, fault, refetch } = useGraphQuery(ExcerptDocument, {
    assistantId,
    documentId,
    versionId: citation.versionId,
    ...range,
  });
  const excerpt = data?.assistantFileExcerpt;
  const canShowMore = context.before + context.after + moreCharacters <= excerptCharactersMax;

  if (!excerpt) {
    if (!fault) return <Loading lines={8} />;
    return (
      <>
        {fault.code === 'NOT_FOUND' ? (
          <Notice tone="busy">
            {citation.originalName} was replaced or deleted after this answer. The quoted text was:
          </Notice>
        ) : (
          <FaultNote fault={fault} onRetry={refetch} />
        )}
        <Quote text={citation.quote} />
      </>
    );
  }
  const { file, parts, hasEarlier, hasLater } = excerpt;
  const isPreviousVersion = file.id !== citation.versionId;
  return (
    <>
      {isPreviousVersion && (
        <Notice tone="busy">
          This is the previous version, {citation.originalName}. Its replacement,{' '}
          {file.originalName}, is not searchable yet.
        </Notice>
      )}
      {!isQuoteUnchanged(parts, citation) && (
        <>
          <Notice tone="busy">
            The text of this file changed after this answer. The quoted text was:
          </Notice>
          <Quote text={citation.quote} />
        </>
      )}
      <div className="assistants-source-tools">
        <a className="button button-plain" href={file.contentAddress} download={file.originalName}>
          <Icon name="download" /> Download {isPreviousVersion ? 'replacement' : 'file'}
        </a>
        {hasEarlier && canShowMore && (
          <Button
            kind="quiet"
            onClick={() => setContext({ ...context, before: context.before + moreCharacters })}
          >
            Show more above
          </Button>
        )}
      </div>
      <ExcerptText parts={parts} citation={citation} />
      {hasLater && canShowMore && (
        <div className="assistants-source-tools">
          <Button
            kind="quiet"
            onClick={() => setContext({ ...context, after: context.after + moreCharacters })}
          >
            Show more below
          </Button>
        </div>
      )}
    </>
  );
}

function ExcerptText({ parts, citation }: { parts: readonly ExcerptPart[]; citation: Citation }) {
  const area = useRef<HTMLElement>(null);
  const mark = useRef<HTMLElement>(null);
  // Only the excerpt scrolls to the quote; the page keeps its position.
  useEffect(() => {
    if (area.current && mark.current)
      area.current.scrollTop = mark.current.offsetTop - area.current.clientHeight / 3;
  }, []);
  const quotedParts = markQuote(parts, citation);
  const first = quotedParts.findIndex(({ quote }) => quote !== '');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section ref={area} className="assistants-excerpt" aria-label="Text of the file" tabIndex={0}>
      {quotedParts.map(({ start, heading, page, before, quote, after }, index) => (
        <Fragment key={start}>
          {(heading || page) && (
            <p className="hint">{[page, heading].filter(Boolean).join(' · ')}</p>
          )}
          <p className="assistants-plain">
            {before}
            {quote && <mark ref={index === first ? mark : undefined}>{quote}</mark>}
            {after}
          </p>
        </Fragment>
      ))}
    </section>
  );
}
