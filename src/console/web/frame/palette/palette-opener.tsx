import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { lazyPart, pendingDialog } from '../../ui/lazy-part.tsx';
import type { PalettePage } from './palette-entries.ts';
import { useRecentPages } from './recent-pages.ts';
import './palette-opener.css';
import { loadTexts } from '../../texts/messages.ts';
import { t } from '../../texts/text.ts';

const Palette = lazyPart(async () => {
  const [module] = await Promise.all([import('./palette.tsx'), loadTexts('palette')]);
  return module.Palette;
}, pendingDialog);

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

type PaletteOpenerProps = { pages: readonly PalettePage[]; onShowCode: () => void };

/** The button that opens the palette. Ctrl+K or ⌘K opens and closes it from every page. */
export function PaletteOpener(props: PaletteOpenerProps) {
  const [isOpen, setOpen] = useState(false);
  const recentPages = useRecentPages();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'k' || altKey || shiftKey || !(isApple ? metaKey : ctrlKey)) return;
      event.preventDefault();
      // A dialog that is open is to be answered first.
      setOpen((isShown) => !isShown && document.querySelector('dialog[open]') === null);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        icon="search"
        className="palette-opener"
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span className="palette-opener-text">{t('frame.goTo')}</span>
        <kbd>{isApple ? '⌘K' : t('frame.controlK')}</kbd>
      </Button>
      {isOpen && <Palette {...props} recentPages={recentPages} onClose={close} />}
    </>
  );
}
