import type { AssistantFileFieldsFragment } from '../documents.ts';

/** 150 MB, the limit of the server. */
export const fileBytesMax = 157_286_400;

const decimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${decimal.format(bytes / 1_024)} kB`;
  return `${decimal.format(bytes / 1_048_576)} MB`;
}

/** Why a file cannot be uploaded, checked before sending; undefined when it can. */
export function sizeError({ name, size }: { name: string; size: number }): string | undefined {
  if (size === 0) return `${name} is empty.`;
  if (size > fileBytesMax)
    return `${name} is larger than ${formatBytes(fileBytesMax)}, the maximum size of a file.`;
  return undefined;
}

const typeLabels: Record<string, string> = {
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

export const typeLabel = ({ mimeType }: { mimeType: string }): string =>
  typeLabels[mimeType] ?? mimeType;

const stageLabels = {
  EXTRACTING: 'Reading',
  CHUNKING: 'Splitting into passages',
  EMBEDDING: 'Embedding',
  INDEXING: 'Indexing',
};
const stageOrder = ['EXTRACTING', 'CHUNKING', 'EMBEDDING', 'INDEXING'];

/** The progress of processing a file, from 0 to 1, and its label. */
export function progressOf({
  processingStatus,
  processingStage,
}: Pick<AssistantFileFieldsFragment, 'processingStatus' | 'processingStage'>) {
  if (processingStatus === 'PENDING' || processingStage === null)
    return { label: 'Waiting', done: 0 };
  return {
    label: stageLabels[processingStage],
    done: (stageOrder.indexOf(processingStage) + 1) / (stageOrder.length + 1),
  };
}

export const isProcessing = ({
  processingStatus,
}: Pick<AssistantFileFieldsFragment, 'processingStatus'>): boolean =>
  processingStatus === 'PENDING' || processingStatus === 'PROCESSING';
