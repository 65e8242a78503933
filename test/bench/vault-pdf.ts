import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readDocumentText } from '../../src/vault/extract/read-document.ts';
import { createSandbox } from '../../src/vault/extract/sandbox.ts';
import { type LaidOutPdf, laidOutPdfs } from './vault-pdf-set.ts';

export type PdfDefects = { defect: string; cases: number; vault: number; pdftotext: number | null };

type PageText = { page: number; text: string };

const repositoryPdfs = [
  'src/modules/demo/handbook/travel-policy.pdf',
  'test/support/documents/report.pdf',
];

/**
 * Counts what of the text of PDF files is not as it was written, by the vault and by pdftotext of
 * Poppler with `-layout`, if the machine has it. Half of the counts need to know the text: these
 * files are made here. The other half are signs that no text has, and also count in the files of the
 * repository.
 */
export async function measurePdf(): Promise<PdfDefects[]> {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-pdf-'));
  const sandbox = createSandbox({
    directory: join(directory, 'readers'),
    heapMegabytesMax: 512,
    processorSecondsMax: 600,
  });
  // The processes of readers do not keep this one alive.
  const stayAlive = setInterval(() => {}, 1_000);
  try {
    const files: { pdf: LaidOutPdf; vault: PageText[]; pdftotext: PageText[] | null }[] = [];
    for (const pdf of [...laidOutPdfs(), ...(await readRepositoryPdfs())]) {
      const path = join(directory, 'document.pdf');
      await writeFile(path, pdf.file);
      const source = { path, bytes: pdf.file.length };
      const read = await readDocumentText({ sandbox, source, unitsMax: 2_000_000 });
      files.push({ pdf, vault: pagesOf(read), pdftotext: await byPoppler(path) });
    }
    return defects.map(({ defect, cases, count }) => ({
      defect,
      cases: sum(files.map(({ pdf }) => cases(pdf))),
      vault: sum(files.map(({ pdf, vault }) => count(pdf, vault))),
      pdftotext: files.every(({ pdftotext }) => pdftotext !== null)
        ? sum(files.map(({ pdf, pdftotext }) => count(pdf, pdftotext ?? [])))
        : null,
    }));
  } finally {
    clearInterval(stayAlive);
    sandbox.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const readRepositoryPdfs = (): Promise<LaidOutPdf[]> =>
  Promise.all(
    repositoryPdfs.map(async (name) => ({
      ...{ file: await readFile(name), sentences: [], dividedWords: [], words: [], heads: [] },
    })),
  );

function pagesOf({ text, pageStarts }: Awaited<ReturnType<typeof readDocumentText>>): PageText[] {
  return pageStarts.map(({ page, start }, index) => ({
    page,
    text: text.slice(start, pageStarts[index + 1]?.start),
  }));
}

async function byPoppler(path: string): Promise<PageText[] | null> {
  try {
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', path, '-'], {
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.split('\f').map((text, index) => ({ page: index + 1, text }));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

type Defect = {
  defect: string;
  /** In how many places of the file it can occur. */
  cases: (pdf: LaidOutPdf) => number;
  count: (pdf: LaidOutPdf, pages: readonly PageText[]) => number;
};

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const joined = (pages: readonly PageText[]): string =>
  inOneLine(pages.map(({ text }) => text).join('\n'));
const matches = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;
const sum = (counts: readonly number[]): number =>
  counts.reduce((total, count) => total + count, 0);

const defects: Defect[] = [
  {
    defect: 'words divided by a hyphen are not joined',
    cases: ({ dividedWords }) => dividedWords.length,
    count: ({ dividedWords }, pages) =>
      dividedWords.filter((word) => !joined(pages).includes(word)).length,
  },
  {
    defect: 'words with an umlaut or a ligature are not found',
    cases: ({ words }) => words.length,
    count: ({ words }, pages) => words.filter((word) => !joined(pages).includes(word)).length,
  },
  {
    defect: 'accents apart from their letter',
    cases: () => 0,
    count: (_, pages) => matches(joined(pages), /[¨´ˆ˜ˇ]\s?\p{L}|\s[\u0300-\u036f]/gu),
  },
  {
    defect: 'ligatures as one character',
    cases: () => 0,
    count: (_, pages) => matches(joined(pages), /[\ufb00-\ufb06]/g),
  },
  {
    defect: 'repeated running heads and page numbers',
    cases: ({ heads }) => heads.length,
    count: ({ heads }, pages) => {
      const seen = new Set<string>();
      return heads.filter(({ page, text, form }) => {
        const isThere = pages.some(
          (read) => read.page === page && inOneLine(read.text).includes(text),
        );
        // A head is kept once.
        const isFirst = form !== null && isThere && !seen.has(form);
        if (isFirst) seen.add(form);
        return isThere && !isFirst;
      }).length;
    },
  },
  {
    defect: 'lines of characters that mean nothing',
    cases: () => 0,
    count: (_, pages) =>
      pages
        .flatMap(({ text }) => text.split('\n'))
        .filter((line) => matches(line, /[\ufffd\ue000-\uf8ff]|\(cid:\d+\)/g) * 4 > line.length)
        .length,
  },
  {
    defect: 'sentences on another page',
    cases: ({ sentences }) => sentences.length,
    count: ({ sentences }, pages) =>
      sentences.filter(({ text, page }) =>
        pages.some((read) => read.page !== page && inOneLine(read.text).includes(text)),
      ).length,
  },
  {
    defect: 'sentences torn apart, as between columns',
    cases: ({ sentences }) => sentences.length,
    count: ({ sentences }, pages) =>
      sentences.filter(({ text }) => !joined(pages).includes(text)).length,
  },
  {
    defect: 'sentences out of order',
    cases: ({ sentences }) => sentences.length,
    count: ({ sentences }, pages) => {
      const text = joined(pages);
      const positions = sentences.map((sentence) => text.indexOf(sentence.start));
      return positions.filter((position, index) => position < (positions[index - 1] ?? -1)).length;
    },
  },
];
