import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogHead } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazyPart, pendingPart } from '../../ui/lazy-part.tsx';
import { FaultNote, Loading, Notice } from '../../ui/status.tsx';
import { useBackToClose } from '../../ui/use-back-to-close.ts';
import { useMedia } from '../../ui/use-media.ts';
import { ExcerptDocument } from '../documents.ts';
import { formatCitation } from './answer-text.tsx';
import { type ExcerptPart, isQuoteUnchanged, markQuote } from './mark-quote.ts';
import type { Citation } from './turn.ts';
import './source.css';
import { t } from '../../texts/text.ts';

const PdfPage = lazyPart(async () => (await import('./pdf-page.tsx')).PdfPage, pendingPart);

type SourcePanelProps = { assistantId: string; citation: Citation; onClose: () => void };

/** Shows a citation in its file: beside the chat on wide screens, in a dialog on narrow ones. */
export function SourcePanel({ assistantId, citation, onClose }: SourcePanelProps) {
  // Too narrow for a panel beside the chat.
  const isNarrow = useMedia('(width < 64rem)');
  useBackToClose(isNarrow, onClose);
  const title = t('chat.sourceOf', { marker: citation.marker, citation: formatCitation(citation) });
  if (isNarrow) {
    return (
      <Dialog title={title} open onClose={onClose} wide>
        <SourceText assistantId={assistantId} citation={citation} />
      </Dialog>
    );
  }
  return (
    <SidePanel title={title} onClose={onClose}>
      <SourceText assistantId={assistantId} citation={citation} />
    </SidePanel>
  );
}

function SidePanel({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: React.ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const panel = useRef<HTMLElement>(null);
  // The panel takes the focus, and gives it back when it closes, unless the person has moved it.
  useLayoutEffect(() => {
    const previousFocus = document.activeElement;
    const panelElement = panel.current;
    heading.current?.focus();
    return () => {
      if (
        panelElement?.contains(document.activeElement) &&
        previousFocus instanceof HTMLElement &&
        previousFocus.isConnected
      )
        previousFocus.focus();
    };
  }, []);
  return (
    <aside
      ref={panel}
      className="assistants-source"
      aria-label={t('chat.source')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <DialogHead
        title={
          <h2 ref={heading} tabIndex={-1}>
            {title}
          </h2>
        }
        onClose={onClose}
      />
      {children}
    </aside>
  );
}

const contextCharacters = 1_200;
const moreCharacters = 4_000;
// The maximum length of one excerpt, minus the quote itself.
const excerptCharactersMax = 19_000;

type SourceTextProps = { assistantId: string; citation: Citation };

/** A quote with the text around it, of which the person can load more. */
function SourceText({ assistantId, citation }: SourceTextProps) {
  const { documentId } = citation;
  if (documentId === null) {
    return (
      <>
        <Quote text={citation.quote} />
        <p className="hint">{t('chat.sentFile')}</p>
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
  const [isPageShown, setPageShown] = useState(false);
  const canShowMore = context.before + context.after + moreCharacters <= excerptCharactersMax;

  if (!excerpt) {
    if (!fault) return <Loading lines={8} />;
    return (
      <>
        {fault.code === 'NOT_FOUND' ? (
          <Notice tone="busy">{t('chat.fileGone', { originalName: citation.originalName })}</Notice>
        ) : (
          <FaultNote fault={fault} onRetry={refetch} />
        )}
        <Quote text={citation.quote} />
      </>
    );
  }
  const { file, parts, hasEarlier, hasLater } = excerpt;
  const isPreviousVersion = file.id !== citation.versionId;
  // Only the current version can be downloaded.
  const page =
    isPreviousVersion || file.mimeType !== 'application/pdf' ? null : (citation.page ?? null);
  const showsAsPage = page !== null && isPageShown;
  return (
    <>
      {isPreviousVersion && (
        <Notice tone="busy">
          {t('chat.previousFile', {
            originalName: citation.originalName,
            replacement: file.originalName,
          })}
        </Notice>
      )}
      {!isQuoteUnchanged(parts, citation) && (
        <>
          <Notice tone="busy">{t('chat.fileChanged')}</Notice>
          <Quote text={citation.quote} />
        </>
      )}
      <div className="assistants-source-tools row">
        <a className="button button-plain" href={file.contentAddress} download={file.originalName}>
          <Icon name="download" />{' '}
          {t('chat.downloadFile', { isPreviousVersion: isPreviousVersion ? 'yes' : 'no' })}
        </a>
        {page !== null && (
          <Button icon="file" onClick={() => setPageShown(!isPageShown)}>
            {isPageShown ? t('chat.showText') : t('chat.showPage', { page })}
          </Button>
        )}
        {hasEarlier && canShowMore && !showsAsPage && (
          <Button
            kind="quiet"
            onClick={() => setContext({ ...context, before: context.before + moreCharacters })}
          >
            {t('chat.moreAbove')}
          </Button>
        )}
      </div>
      {showsAsPage ? (
        <PdfPage
          name={file.originalName}
          address={file.contentAddress}
          page={page}
          quote={citation.quote}
        />
      ) : (
        <ExcerptText parts={parts} citation={citation} />
      )}
      {hasLater && canShowMore && !showsAsPage && (
        <div className="assistants-source-tools row">
          <Button
            kind="quiet"
            onClick={() => setContext({ ...context, after: context.after + moreCharacters })}
          >
            {t('chat.moreBelow')}
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
    <section ref={area} className="assistants-excerpt" aria-label={t('chat.fileText')} tabIndex={0}>
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
