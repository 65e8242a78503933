import type { FilePartsFragment } from '../documents.ts';

/** 150 MB, as the server counts them. */
export const fileBytesMax = 157_286_400;

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${number.format(bytes / 1_024)} kB`;
  return `${number.format(bytes / 1_048_576)} MB`;
}

/** Why a file can not be sent, before a byte of it is; undefined where it can. */
export function sizeFault({ name, size }: { name: string; size: number }): string | undefined {
  if (size === 0) return `${name} is empty.`;
  if (size > fileBytesMax)
    return `${name} is larger than ${sizeText(fileBytesMax)}, the most that a file may have.`;
  return undefined;
}

const kinds: Record<string, string> = {
  'application/pdf': 'PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.oasis.opendocument.text': 'OpenDocument',
  'message/rfc822': 'E-mail',
  'text/html': 'HTML',
  'text/markdown': 'Markdown',
  'text/csv': 'CSV',
  'text/plain': 'Text',
  'application/json': 'JSON',
  'application/octet-stream': 'Unknown',
};

export const kindText = ({ mimeType }: { mimeType: string }): string => kinds[mimeType] ?? mimeType;

const stages = {
  EXTRACTING: 'Reading',
  CHUNKING: 'Cutting into passages',
  EMBEDDING: 'Embedding',
  INDEXING: 'Indexing',
};
const stageOrder = ['EXTRACTING', 'CHUNKING', 'EMBEDDING', 'INDEXING'];

/** How far the processing of a file has come, from 0 to 1, and in words. */
export function processingOf({
  processingStatus,
  processingStage,
}: Pick<FilePartsFragment, 'processingStatus' | 'processingStage'>) {
  if (processingStatus === 'PENDING' || processingStage === null)
    return { label: 'Waiting', done: 0 };
  return {
    label: stages[processingStage],
    done: (stageOrder.indexOf(processingStage) + 1) / (stageOrder.length + 1),
  };
}

export const isUnderWay = ({
  processingStatus,
}: Pick<FilePartsFragment, 'processingStatus'>): boolean =>
  processingStatus === 'PENDING' || processingStatus === 'PROCESSING';
