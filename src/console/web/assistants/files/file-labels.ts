import type { PlainKey } from '../../texts/catalogue.ts';
import { t } from '../../texts/text.ts';
import { fileStates, formatBytes, stageLabels } from '../../ui/labels.ts';
import type { AssistantFileFieldsFragment } from '../documents.ts';

/** 150 MB, the limit of the server. */
export const fileBytesMax = 157_286_400;

/** Why a file cannot be uploaded, checked before sending; undefined when it can. */
export function sizeError({ name, size }: { name: string; size: number }): string | undefined {
  if (size === 0) return t('files.fileEmpty', { name });
  if (size > fileBytesMax)
    return t('files.fileTooLarge', { name, bytesMax: formatBytes(fileBytesMax) });
  return undefined;
}

const typeNames: Record<string, string> = {
  'application/pdf': 'PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.ms-excel': 'Excel',
  'application/vnd.oasis.opendocument.text': 'OpenDocument',
  'application/vnd.oasis.opendocument.presentation': 'OpenDocument',
  'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument',
  'application/epub+zip': 'EPUB',
  'application/rtf': 'RTF',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/webp': 'WebP',
  'image/tiff': 'TIFF',
  'text/html': 'HTML',
  'text/markdown': 'Markdown',
  'text/csv': 'CSV',
  'application/json': 'JSON',
};

const typeTexts: Record<string, PlainKey> = {
  'message/rfc822': 'files.email',
  'text/plain': 'files.text',
  'application/octet-stream': 'files.unknown',
};

export function typeLabel({ mimeType }: { mimeType: string }): string {
  const text = typeTexts[mimeType];
  return text ? t(text) : (typeNames[mimeType] ?? mimeType);
}

const stages = Object.keys(stageLabels);

/** The progress of processing a file, from 0 to 1, and its label. */
export function progressOf({
  processingStatus,
  processingStage,
}: Pick<AssistantFileFieldsFragment, 'processingStatus' | 'processingStage'>) {
  if (processingStatus === 'PENDING' || processingStage === null)
    return { label: t(fileStates.PENDING.label), done: 0 };
  return {
    label: t(stageLabels[processingStage]),
    done: (stages.indexOf(processingStage) + 1) / (stages.length + 1),
  };
}

export const isProcessing = ({
  processingStatus,
}: Pick<AssistantFileFieldsFragment, 'processingStatus'>): boolean =>
  processingStatus === 'PENDING' || processingStatus === 'PROCESSING';
