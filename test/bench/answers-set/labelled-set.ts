import { readdir, readFile } from 'node:fs/promises';
import { xlsxFile } from '../../support/office-files.ts';

export type LabelledQuestion = {
  kind: string;
  language: string;
  /** The file with the answer; '-' if no file has it. */
  document: string;
  text: string;
  /** The answer contains one of these texts. */
  evidence: string[];
  isHeldOut: boolean;
};
type SetDocument = { name: string; bytes: Uint8Array };

const directory = new URL('./', import.meta.url);
const docsDirectory = new URL('../../../docs/', import.meta.url);

/**
 * Nothing is tuned to the questions about these files, so that their figures tell how well the rest
 * would do on other files. They have 30 % of the questions.
 */
const heldOutDocuments = new Set([
  'lab-safety.md',
  'choir-minutes.txt',
  'ferry-fares.csv',
  'gym-membership.md',
  'kita-satzung.txt',
  'it-richtlinie.md',
  'stromtarif.eml',
]);

/** Every third question without an answer is held out. */
const heldOutEvery = 3;

export async function readQuestions(): Promise<LabelledQuestion[]> {
  const lines = (await readFile(new URL('questions.tsv', directory), 'utf8')).trim().split('\n');
  return lines.map((line, index) => {
    const [kind = '', language = '', document = '', text = '', evidence = ''] = line.split('\t');
    const isHeldOut =
      document === '-' ? index % heldOutEvery === 0 : heldOutDocuments.has(document);
    return {
      kind,
      language,
      document,
      text,
      evidence: evidence.split(' || ').filter((part) => part !== ''),
      isHeldOut,
    };
  });
}

/** The files of the labelled set, and Atrium's documentation as further text. */
export async function readDocuments(): Promise<SetDocument[]> {
  const documents: SetDocument[] = [];
  const own = new URL('documents/', directory);
  for (const name of (await readdir(own)).sort()) {
    const bytes = await readFile(new URL(name, own));
    documents.push(
      name.endsWith('.table.json')
        ? { name: name.replace('.table.json', '.xlsx'), bytes: workbookOf(bytes.toString()) }
        : { name, bytes },
    );
  }
  for (const path of (await readdir(docsDirectory, { recursive: true })).sort())
    if (path.endsWith('.md'))
      documents.push({
        name: path.replaceAll('/', '-'),
        bytes: await readFile(new URL(path, docsDirectory)),
      });
  return documents;
}

type TableFile = { sheet: string; rows: (string | number)[][] };

function workbookOf(json: string): Uint8Array {
  const { sheet, rows }: TableFile = JSON.parse(json);
  const cell = (value: string | number) =>
    typeof value === 'number'
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const xml = rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('');
  return xlsxFile([{ name: sheet, rows: xml }]);
}
