import type { qrOf } from './qr.ts';

/** A QR code in the page. */
export function QrImage({
  code: { size, path },
  label,
}: {
  code: ReturnType<typeof qrOf>;
  label: string;
}) {
  return (
    <svg
      className="qr-image"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
