import { fileStates, formatBytes, stageLabels } from '../../ui/labels.ts';
import type { AssistantFileFieldsFragment } from '../documents.ts';

/** 150 MB, the limit of the server. */
export const fileBytesMax = 157_286_400;

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

const stages = Object.keys(stageLabels);

/** The progress of processing a file, from 0 to 1, and its label. */
export function progressOf({
  processingStatus,
  processingStage,
}: Pick<AssistantFileFieldsFragment, 'processingStatus' | 'processingStage'>) {
  if (processingStatus === 'PENDING' || processingStage === null)
    return { label: fileStates.PENDING.label, done: 0 };
  return {
    label: stageLabels[processingStage],
    done: (stages.indexOf(processingStage) + 1) / (stages.length + 1),
  };
}

export const isProcessing = ({
  processingStatus,
}: Pick<AssistantFileFieldsFragment, 'processingStatus'>): boolean =>
  processingStatus === 'PENDING' || processingStatus === 'PROCESSING';
