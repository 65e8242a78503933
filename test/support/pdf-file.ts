/**
 * A line of text on a page: plain text is 11 high; `gap` leaves room above it; `at` sets it
 * anywhere, from the lower left corner.
 */
type PdfLine = string | { text: string; size?: number; gap?: boolean; at?: [x: number, y: number] };

/**
 * A PDF of as many pages as lists of lines are given, in any script: its font has no shapes, only
 * the table that says which character each code stands for, as programs that read text want it.
 */
export function pdfFile(
  pages: readonly (readonly PdfLine[])[],
  { encrypted = false } = {},
): Buffer {
  const codes = new Map<string, string>();
  const codeOf = (character: string) => {
    const code = codes.get(character) ?? (codes.size + 1).toString(16).padStart(4, '0');
    codes.set(character, code);
    return code;
  };
  const contents = pages.map((lines) => {
    let y = 800;
    return lines
      .map((line) => {
        const {
          text,
          size = 11,
          gap = false,
          at,
        } = typeof line === 'string' ? { text: line } : line;
        if (!at) y -= size * (gap ? 2.6 : 1.2);
        return `BT /F ${size} Tf ${at?.[0] ?? 50} ${(at?.[1] ?? y).toFixed(2)} Td <${Array.from(asSeen(text), codeOf).join('')}> Tj ET`;
      })
      .join('\n');
  });

  // Pages hang in groups, as writers of long documents do it: finding one of many in a flat list
  // takes long.
  const groups = Math.max(1, Math.ceil(pages.length / groupPages));
  const firstPage = 7 + groups;
  const groupOf = (at: number) => 7 + Math.floor(at / groupPages);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${Array.from({ length: groups }, (_, at) => `${7 + at} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /Plain /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Plain /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /FontDescriptor 5 0 R >>',
    '<< /Type /FontDescriptor /FontName /Plain /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>',
    streamOf(characterMap(codes)),
    ...Array.from({ length: groups }, (_, group) => {
      const own = pages.flatMap((_page, at) =>
        groupOf(at) === 7 + group ? [`${firstPage + 2 * at} 0 R`] : [],
      );
      return `<< /Type /Pages /Parent 2 0 R /Count ${own.length} /Kids [${own.join(' ')}] >>`;
    }),
    ...contents.flatMap((content, at) => [
      `<< /Type /Page /Parent ${groupOf(at)} 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents ${firstPage + 2 * at + 1} 0 R >>`,
      streamOf(content),
    ]),
  ];
  // Keys that no password fits.
  const locked = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >> /ID [<00> <00>]`;
  return assembled(objects, encrypted ? locked : '');
}

const groupPages = 100;

/**
 * Pages hold glyphs from left to right, as the eye sees them: scripts that run the other way come
 * out turned.
 */
const asSeen = (text: string) =>
  text.replaceAll(
    /[\p{Script=Hebrew}\p{Script=Arabic}]+(?:\s+[\p{Script=Hebrew}\p{Script=Arabic}]+)*/gu,
    (run) => Array.from(run).toReversed().join(''),
  );

const streamOf = (content: string) =>
  `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

function characterMap(codes: ReadonlyMap<string, string>) {
  const entries = [...codes].map(
    ([character, code]) =>
      `<${code}> <${Buffer.from(character, 'utf16le').swap16().toString('hex')}>`,
  );
  const sections: string[] = [];
  for (let at = 0; at < entries.length; at += 100) {
    const section = entries.slice(at, at + 100);
    sections.push(`${section.length} beginbfchar\n${section.join('\n')}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Plain def /CMapType 2 def
1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${sections.join('\n')}\nendcmap end end`;
}

function assembled(objects: readonly string[], trailer: string) {
  const parts = ['%PDF-1.7\n'];
  let length = 9;
  const places: number[] = [];
  for (const [at, object] of objects.entries()) {
    places.push(length);
    const part = `${at + 1} 0 obj\n${object}\nendobj\n`;
    parts.push(part);
    length += part.length;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(''), 'latin1');
}
