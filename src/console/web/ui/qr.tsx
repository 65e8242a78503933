import { encode } from 'uqr';

// The width of the empty border that ISO/IEC 18004 requires, in modules.
const border = 4;

/**
 * Encodes a text as a QR code. It is black on white in both themes, because scanners expect that.
 */
export function createQrCode(text: string): { size: number; path: string; svg: string } {
  const { size, data } = encode(text, { ecc: 'M', border });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000" d="${path}"/></svg>\n`;
  return { size, path, svg };
}

export const QrImage = ({
  code: { size, path },
  label,
}: {
  code: ReturnType<typeof createQrCode>;
  label: string;
}) => (
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
