/**
 * A line of text on a page. A plain string has size 11; `gap` adds space above; `at` sets the
 * position from the lower left corner.
 */
type PdfLine = string | { text: string; size?: number; gap?: boolean; at?: [x: number, y: number] };

/**
 * A PDF with one page per list of lines, in any script. Its font has no glyphs, only the character
 * map that text extraction needs.
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
        return `BT /F ${size} Tf ${at?.[0] ?? 50} ${(at?.[1] ?? y).toFixed(2)} Td <${Array.from(toVisualOrder(text), codeOf).join('')}> Tj ET`;
      })
      .join('\n');
  });

  // Pages are in groups, as in long documents: finding one of many in a flat list is slow.
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
      const kids = pages.flatMap((_page, at) =>
        groupOf(at) === 7 + group ? [`${firstPage + 2 * at} 0 R`] : [],
      );
      return `<< /Type /Pages /Parent 2 0 R /Count ${kids.length} /Kids [${kids.join(' ')}] >>`;
    }),
    ...contents.flatMap((content, at) => [
      `<< /Type /Page /Parent ${groupOf(at)} 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents ${firstPage + 2 * at + 1} 0 R >>`,
      streamOf(content),
    ]),
  ];
  // Encryption that no password opens.
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >> /ID [<00> <00>]`;
  return assemble(objects, encrypted ? encryption : '');
}

const groupPages = 100;

/** PDF pages store glyphs from left to right, so right-to-left scripts are reversed. */
const toVisualOrder = (text: string) =>
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

function assemble(objects: readonly string[], trailer: string) {
  const parts = ['%PDF-1.7\n'];
  let length = 9;
  const offsets: number[] = [];
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    const part = `${at + 1} 0 obj\n${object}\nendobj\n`;
    parts.push(part);
    length += part.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(''), 'latin1');
}
