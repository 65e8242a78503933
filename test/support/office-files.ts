import {
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';
import { strToU8, type Zippable, zipSync } from 'fflate';

type DocxPart =
  | { heading: string; level?: 1 | 2 | 3 }
  | { text: string; footnote?: string }
  | { list: string[] }
  | { rows: string[][] };

const headings = {
  1: HeadingLevel.HEADING_1,
  2: HeadingLevel.HEADING_2,
  3: HeadingLevel.HEADING_3,
};

/** A Word document written by a real library. */
export async function docxFile(parts: readonly DocxPart[]): Promise<Uint8Array> {
  const footnotes: Record<string, { children: Paragraph[] }> = {};
  const children = parts.flatMap((part): (Paragraph | Table)[] => {
    if ('heading' in part)
      return [new Paragraph({ text: part.heading, heading: headings[part.level ?? 1] })];
    if ('list' in part)
      return part.list.map((text) => new Paragraph({ text, bullet: { level: 0 } }));
    if ('rows' in part) {
      const rows = part.rows.map(
        (cells) =>
          new TableRow({
            children: cells.map((text) => new TableCell({ children: [new Paragraph(text)] })),
          }),
      );
      return [new Table({ rows })];
    }
    if (part.footnote === undefined) return [new Paragraph(part.text)];
    const id = Object.keys(footnotes).length + 1;
    footnotes[id] = { children: [new Paragraph(part.footnote)] };
    return [new Paragraph({ children: [new TextRun(part.text), new FootnoteReferenceRun(id)] })];
  });
  return await Packer.toBuffer(new Document({ sections: [{ children }], footnotes }));
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * A Word, PowerPoint or Excel file of hand-written parts. Relations by part ('' for the file
 * itself): id → [kind, target].
 */
export function officeFile(
  parts: Record<string, string>,
  relations: Record<string, Record<string, [kind: string, target: string]>>,
): Uint8Array {
  const files: Zippable = { '[Content_Types].xml': strToU8(contentTypes(Object.keys(parts))) };
  for (const [name, text] of Object.entries(parts)) files[name] = strToU8(text);
  for (const [part, targets] of Object.entries(relations)) {
    const at = part.lastIndexOf('/') + 1;
    const entries = Object.entries(targets).map(
      ([id, [kind, target]]) =>
        `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"${target.includes('://') ? ' TargetMode="External"' : ''}/>`,
    );
    files[`${part.slice(0, at)}_rels/${part.slice(at)}.rels`] = strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join('')}</Relationships>`,
    );
  }
  return zipSync(files);
}

const mainTypes: Record<string, string> = {
  'word/document.xml': 'wordprocessingml.document.main',
  'ppt/presentation.xml': 'presentationml.presentation.main',
  'xl/workbook.xml': 'spreadsheetml.sheet.main',
};

function contentTypes(names: readonly string[]) {
  const overrides = names.flatMap((name) =>
    mainTypes[name]
      ? [
          `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.${mainTypes[name]}+xml"/>`,
        ]
      : [],
  );
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
}

/** A Word document with a hand-written body. */
export const docxOf = (
  body: string,
  relations: Record<string, [kind: string, target: string]> = {},
  parts: Record<string, string> = {},
) =>
  officeFile(
    {
      'word/document.xml': `<w:document xmlns:w="w" xmlns:r="${office}"><w:body>${body}</w:body></w:document>`,
      ...parts,
    },
    { '': { main: ['officeDocument', 'word/document.xml'] }, 'word/document.xml': relations },
  );

type PresentationSlide = { title?: string; texts?: string[]; rows?: string[][]; notes?: string };

const drawnParagraph = (text: string) => `<a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p>`;
const shape = (placeholder: string, texts: readonly string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${placeholder}"/></p:nvPr></p:nvSpPr><p:txBody>${texts.map(drawnParagraph).join('')}</p:txBody></p:sp>`;
const drawing = (root: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><p:${root} xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:${root}>`;

/**
 * A presentation whose parts are numbered in reverse order of the slides, as after slides were
 * moved.
 */
export function pptxFile(slides: readonly PresentationSlide[]): Uint8Array {
  const parts: Record<string, string> = {};
  const relations: Record<string, Record<string, [string, string]>> = {
    '': { main: ['officeDocument', '/ppt/presentation.xml'] },
  };
  const order: Record<string, [string, string]> = {};
  for (const [at, { title, texts = [], rows = [], notes }] of slides.entries()) {
    const name = `slide${slides.length - at}.xml`;
    const table = rows
      .map(
        (cells) =>
          `<a:tr>${cells.map((cell) => `<a:tc><a:txBody>${drawnParagraph(cell)}</a:txBody></a:tc>`).join('')}</a:tr>`,
      )
      .join('');
    const shapes = [
      shape('sldNum', [String(at + 1)]),
      shape('body', texts),
      `<a:tbl>${table}</a:tbl>`,
      title === undefined ? '' : shape('title', [title]),
    ];
    parts[`ppt/slides/${name}`] = drawing('sld', shapes.join(''));
    order[`r${at}`] = ['slide', `slides/${name}`];
    if (notes === undefined) continue;
    parts[`ppt/notesSlides/${name}`] = drawing(
      'notes',
      shape('sldImg', []) + shape('body', [notes]) + shape('sldNum', ['9']),
    );
    relations[`ppt/slides/${name}`] = { n: ['notesSlide', `../notesSlides/${name}`] };
  }
  const list = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`).join('');
  parts['ppt/presentation.xml'] =
    `<p:presentation xmlns:p="p" xmlns:r="${office}"><p:sldIdLst>${list}</p:sldIdLst></p:presentation>`;
  return officeFile(parts, { ...relations, 'ppt/presentation.xml': order });
}

/** A workbook whose rows are hand-written XML, with shared strings and styles. */
export function xlsxFile(
  sheets: readonly {
    name: string;
    rows: string;
    state?: 'hidden' | 'veryHidden';
    comments?: Record<string, string>;
    /** Texts of text boxes. */
    boxes?: readonly string[];
    /** Ranges of merged cells, such as "A1:B1". */
    merged?: readonly string[];
  }[],
  {
    strings = [],
    styles,
    date1904 = false,
  }: { strings?: string[]; styles?: string; date1904?: boolean } = {},
): Uint8Array {
  const parts: Record<string, string> = {};
  const targets: Record<string, [string, string]> = {};
  const sheetTargets: Record<string, Record<string, [string, string]>> = {};
  for (const [at, { rows, comments, boxes, merged = [] }] of sheets.entries()) {
    parts[`xl/worksheets/sheet${at + 1}.xml`] =
      `<worksheet xmlns="x"><sheetData>${rows}</sheetData><mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells></worksheet>`;
    targets[`r${at}`] = ['worksheet', `worksheets/sheet${at + 1}.xml`];
    const ownTargets: Record<string, [string, string]> = {};
    sheetTargets[`xl/worksheets/sheet${at + 1}.xml`] = ownTargets;
    if (boxes) {
      const shapes = boxes.map(
        (text) =>
          `<xdr:twoCellAnchor><xdr:sp><xdr:txBody><a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor>`,
      );
      parts[`xl/drawings/drawing${at + 1}.xml`] =
        `<xdr:wsDr xmlns:xdr="xdr" xmlns:a="a">${shapes.join('')}</xdr:wsDr>`;
      ownTargets['d'] = ['drawing', `../drawings/drawing${at + 1}.xml`];
    }
    if (comments) {
      const list = Object.entries(comments).map(
        ([ref, text]) =>
          `<comment ref="${ref}"><text><r><t>${escaped(text)}</t></r></text></comment>`,
      );
      parts[`xl/comments${at + 1}.xml`] =
        `<comments xmlns="x"><authors><author>Ann</author></authors><commentList>${list.join('')}</commentList></comments>`;
      ownTargets['c'] = ['comments', `../comments${at + 1}.xml`];
    }
  }
  parts['xl/sharedStrings.xml'] =
    `<sst xmlns="x">${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`;
  targets['strings'] = ['sharedStrings', 'sharedStrings.xml'];
  if (styles !== undefined) {
    parts['xl/styles.xml'] = `<styleSheet xmlns="x">${styles}</styleSheet>`;
    targets['styles'] = ['styles', 'styles.xml'];
  }
  const list = sheets
    .map(
      ({ name, state = 'visible' }, at) =>
        `<sheet name="${escaped(name)}" state="${state}" sheetId="${at + 1}" r:id="r${at}"/>`,
    )
    .join('');
  parts['xl/workbook.xml'] =
    `<workbook xmlns="x" xmlns:r="${office}"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${list}</sheets></workbook>`;
  return officeFile(parts, {
    '': { main: ['officeDocument', 'xl/workbook.xml'] },
    'xl/workbook.xml': targets,
    ...sheetTargets,
  });
}

type OpenDocument = {
  kind: 'text' | 'spreadsheet' | 'presentation';
  body: string;
  styles?: string;
  manifest?: string;
  /** Further parts of the file by their names. */
  parts?: Record<string, string>;
};

/** An OpenDocument file with a hand-written body. */
export function openDocumentFile({
  kind,
  body,
  styles = '',
  manifest = '',
  parts = {},
}: OpenDocument) {
  const namespaces = [
    'office',
    'text',
    'table',
    'draw',
    'presentation',
    'style',
    'dc',
    'svg',
    'xlink',
  ]
    .map((name) => `xmlns:${name}="${name}"`)
    .join(' ');
  const content = `<office:document-content ${namespaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
  return zipSync({
    mimetype: [strToU8(`application/vnd.oasis.opendocument.${kind}`), { level: 0 }],
    'content.xml': strToU8(content),
    'META-INF/manifest.xml': strToU8(
      `<manifest:manifest xmlns:manifest="m">${manifest}</manifest:manifest>`,
    ),
    ...Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])),
  });
}

/** An OpenDocument text with a hand-written body. */
export const odtFile = (body: string, manifest = ''): Uint8Array =>
  openDocumentFile({ kind: 'text', body, manifest });

type Book = {
  title?: string;
  chapters: Record<string, string>;
  order?: readonly string[];
  /** Further parts, such as META-INF/encryption.xml. */
  parts?: Record<string, string>;
};

/** An EPUB book whose chapters are the bodies of XHTML pages, in the folder OEBPS. */
export function epubFile({ title = '', chapters, order, parts = {} }: Book): Uint8Array {
  const names = Object.keys(chapters);
  const items = names.map(
    (name) =>
      `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"${name === 'nav' ? ' properties="nav"' : ''}/>`,
  );
  const book = `<package xmlns:dc="dc"><metadata><dc:title>${title}</dc:title><dc:title>Another</dc:title></metadata><manifest>${items.join('')}<item id="style" href="style.css" media-type="text/css"/></manifest><spine>${(order ?? names).map((name) => `<itemref idref="${name}"/>`).join('')}</spine></package>`;
  const pages = Object.entries(chapters).map(([name, body]): [string, string] => [
    `OEBPS/${name}.xhtml`,
    `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>${title}</title></head><body>${body}</body></html>`,
  ]);
  const all = {
    'META-INF/container.xml': `<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>`,
    'OEBPS/content.opf': book,
    ...Object.fromEntries(pages),
    ...parts,
  };
  return zipSync({
    mimetype: [strToU8('application/epub+zip'), { level: 0 }],
    ...Object.fromEntries(Object.entries(all).map(([name, text]) => [name, strToU8(text)])),
  });
}
