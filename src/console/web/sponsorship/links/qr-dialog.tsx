import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { createQrCode } from '../../ui/qr.ts';
import { QrImage } from '../../ui/qr-image.tsx';
import { saveFile } from '../../ui/save-file.ts';

/** Shows a link as a QR code, for print. */
export function QrDialog({ name, url }: { name: string; url: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        QR code<span className="sr-only"> of {name}</span>
      </Button>
      <Dialog title={`QR code of ${name}`} open={isOpen} onClose={() => setOpen(false)}>
        <QrCode name={name} url={url} />
      </Dialog>
    </>
  );
}

function QrCode({ name, url }: { name: string; url: string }) {
  const code = createQrCode(url);
  const download = () =>
    saveFile(`${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.svg`, 'image/svg+xml', [code.svg]);
  return (
    <>
      <QrImage code={code} label={`QR code of ${url}`} />
      <p className="hint sponsorship-url">{url}</p>
      <FormButtons>
        <Button onClick={download}>
          <Icon name="download" /> Download SVG
        </Button>
      </FormButtons>
    </>
  );
}
