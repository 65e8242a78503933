import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { getDocument, type PDFDocumentProxy } from 'unpdf/pdfjs';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { Loading, Notice } from '../../ui/status.tsx';
import { drawPage } from './draw-page.ts';

type PdfPageProps = {
  name: string;
  address: string;
  /** The page that is shown first. */
  page: number;
  /** The text that is marked on that page. */
  quote: string;
};

const bytesAtOnce = 262_144;

/**
 * A page of a PDF as it looks, with the quote marked. Only the parts of the file that it needs are
 * read.
 */
export function PdfPage({ name, address, page: firstPage, quote }: PdfPageProps) {
  const area = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [file, setFile] = useState<PDFDocumentProxy>();
  const [number, setNumber] = useState(firstPage);
  const [scroll, setScroll] = useState(0);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');

  useEffect(() => {
    const reading = getDocument({
      url: new URL(address, location.href).href,
      rangeChunkSize: bytesAtOnce,
      disableAutoFetch: true,
      disableStream: true,
      verbosity: 0,
    });
    let isClosed = false;
    reading.promise.then(setFile, () => !isClosed && setState('failed'));
    return () => {
      isClosed = true;
      void reading.destroy();
    };
  }, [address]);

  // The picture must have its height before it can be scrolled.
  useLayoutEffect(() => {
    if (state !== 'shown' || !area.current) return;
    const { scrollHeight, clientHeight } = area.current;
    area.current.scrollTop = scrollHeight * scroll - clientHeight / 3;
  }, [state, scroll]);

  useEffect(() => {
    if (!file || !canvas.current) return undefined;
    const drawing = new AbortController();
    setState('loading');
    drawPage(file, number, number === firstPage ? quote : '', canvas.current, drawing.signal).then(
      (quoteTop) => {
        if (drawing.signal.aborted) return;
        setState('shown');
        setScroll(quoteTop ?? 0);
      },
      () => !drawing.signal.aborted && setState('failed'),
    );
    return () => drawing.abort();
  }, [file, number, firstPage, quote]);

  if (state === 'failed') return <Notice tone="busy">{t('chat.pageNotShown')}</Notice>;
  const picture = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section ref={area} className="assistants-page" aria-label={t('chat.pageOfFile')} tabIndex={0}>
      {state === 'loading' && <Loading lines={8} />}
      <canvas
        ref={canvas}
        role="img"
        hidden={state === 'loading'}
        aria-label={t('chat.pictureOfPage', { page: number, name })}
      />
    </section>
  );
  return (
    <>
      {file && (
        <div className="assistants-source-tools row">
          <Button kind="quiet" disabled={number <= 1} onClick={() => setNumber(number - 1)}>
            {t('ui.previous')}
          </Button>
          <span aria-live="polite">{t('chat.pageOf', { page: number, pages: file.numPages })}</span>
          <Button
            kind="quiet"
            disabled={number >= file.numPages}
            onClick={() => setNumber(number + 1)}
          >
            {t('ui.next')}
          </Button>
        </div>
      )}
      {picture}
    </>
  );
}
