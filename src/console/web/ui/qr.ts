import { encode } from 'uqr';

// The quiet zone that ISO/IEC 18004 asks for, in modules.
const border = 4;

/**
 * A text as a QR code: black on white, whatever the page looks like, for that is what cameras look
 * for.
 */
export function qrOf(text: string): { size: number; path: string; svg: string } {
  const { size, data } = encode(text, { ecc: 'M', border });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000" d="${path}"/></svg>\n`;
  return { size, path, svg };
}
