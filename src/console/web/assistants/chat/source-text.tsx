import { Fragment, useEffect, useRef, useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ExcerptDocument } from '../documents.ts';
import type { Citation } from './conversation.ts';
import { isQuotedThere, marked, type Part } from './mark-quote.ts';

const aroundUnits = 1_200;
const moreUnits = 4_000;
// The most that one question may span, less the quote itself.
const spanUnitsMax = 19_000;

type SourceTextProps = { assistantId: string; citation: Citation };

/** A quote in the text around it, as far as somebody wants to read. */
export function SourceText({ assistantId, citation }: SourceTextProps) {
  const { documentId } = citation;
  if (documentId === null) {
    return (
      <>
        <Quote text={citation.quote} />
        <p className="hint">
          It stands in a file that went with the question. Such files are read once and not kept.
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
  const [around, setAround] = useState({ before: aroundUnits, after: aroundUnits });
  const stretch = {
    start: Math.max(0, citation.start - around.before),
    end: citation.end + around.after,
  };
  const { data, fault, refetch } = useGraphQuery(ExcerptDocument, {
    assistantId,
    documentId,
    versionId: citation.versionId,
    ...stretch,
  });
  const excerpt = data?.assistantFileExcerpt;
  const mayGrow = around.before + around.after + moreUnits <= spanUnitsMax;

  if (!excerpt) {
    if (!fault) return <Loading lines={8} />;
    return (
      <>
        {fault.code === 'NOT_FOUND' ? (
          <Notice tone="busy">
            {citation.originalName} was replaced or deleted since this answer was given. It was
            quoted like this:
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
          {file.originalName}, cannot be searched yet.
        </Notice>
      )}
      {!isQuotedThere(parts, citation) && (
        <>
          <Notice tone="busy">
            The text of this file has changed since this answer was given. It was quoted like this:
          </Notice>
          <Quote text={citation.quote} />
        </>
      )}
      <div className="assistants-source-tools">
        <a className="button button-plain" href={file.contentAddress} download={file.originalName}>
          <Icon name="download" /> Download {isPreviousVersion ? 'the replacement' : 'the file'}
        </a>
        {hasEarlier && mayGrow && (
          <Button
            kind="quiet"
            onClick={() => setAround({ ...around, before: around.before + moreUnits })}
          >
            Show more before
          </Button>
        )}
      </div>
      <ExcerptText parts={parts} citation={citation} />
      {hasLater && mayGrow && (
        <div className="assistants-source-tools">
          <Button
            kind="quiet"
            onClick={() => setAround({ ...around, after: around.after + moreUnits })}
          >
            Show more after
          </Button>
        </div>
      )}
    </>
  );
}

function ExcerptText({ parts, citation }: { parts: readonly Part[]; citation: Citation }) {
  const box = useRef<HTMLElement>(null);
  const mark = useRef<HTMLElement>(null);
  // The box alone scrolls: the page beside it stays where it is.
  useEffect(() => {
    if (box.current && mark.current)
      box.current.scrollTop = mark.current.offsetTop - box.current.clientHeight / 3;
  }, []);
  const shown = marked(parts, citation);
  const first = shown.findIndex(({ quote }) => quote !== '');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={box} className="assistants-excerpt" aria-label="Text of the file" tabIndex={0}>
      {shown.map(({ start, heading, page, before, quote, after }, index) => (
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
