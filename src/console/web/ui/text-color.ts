/**
 * Black or white, whichever has the greater contrast on a colour such as "#1a2b3c". It is at least
 * 4.58 for every colour, and WCAG 2.2 requires 4.5: the contrasts of black and white multiply to 21,
 * and the root of 21 is 4.58.
 */
export function textColorOn(color: string): '#000000' | '#ffffff' {
  const luminance = luminanceOf(color);
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? '#000000' : '#ffffff';
}

/** The relative luminance of WCAG 2.2. */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
