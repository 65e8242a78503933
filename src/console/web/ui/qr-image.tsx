import type { createQrCode } from './qr.ts';

export function QrImage({
  code: { size, path },
  label,
}: {
  code: ReturnType<typeof createQrCode>;
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
