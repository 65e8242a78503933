import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { qrOf } from './qr.ts';

/** A link to be printed. */
export function QrDialog({ name, url }: { name: string; url: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        QR code<span className="for-readers"> of {name}</span>
      </Button>
      <Dialog title={`QR code of ${name}`} open={isOpen} onClose={() => setOpen(false)}>
        <QrCode name={name} url={url} />
      </Dialog>
    </>
  );
}

function QrCode({ name, url }: { name: string; url: string }) {
  const { size, path, svg } = qrOf(url);
  const download = () => saveFile(`${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.svg`, 'image/svg+xml', [svg]);
  return (
    <>
      <svg className="sponsorship-qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${url}`} shapeRendering="crispEdges">
        <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
        <path fill="#000" d={path} />
      </svg>
      <p className="hint sponsorship-url">{url}</p>
      <FormButtons>
        <Button onClick={download}>
          <Icon name="download" /> Download SVG
        </Button>
      </FormButtons>
    </>
  );
}
