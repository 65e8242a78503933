import type { ApiFault } from '../../graph/fault.ts';
import { t } from '../../texts/text.ts';
import { formatBytes } from '../../ui/labels.ts';
import type { TurnFile } from './turn.ts';

/** How many files a person can send with one question. */
export const filesMax = 10;
/** The size of one of them; the server refuses larger ones. */
const fileBytesMax = 26_214_400;

type FileChoice = { files: File[]; errors: string[] };

/** The attached files with those that were added, and why the others cannot be attached. */
export function chooseFiles(attached: readonly File[], added: readonly File[]): FileChoice {
  const errors: string[] = [];
  const files = [...attached];
  for (const file of added) {
    const error = errorOf(file);
    if (error) errors.push(error);
    else if (files.some((each) => isSame(each, file))) continue;
    else if (files.length < filesMax) files.push(file);
    else {
      errors.push(t('chat.tooManyFiles', { filesMax }));
      break;
    }
  }
  return { files, errors };
}

function errorOf({ name, size }: File): string | undefined {
  if (size === 0) return t('chat.fileEmpty', { name });
  if (size > fileBytesMax)
    return t('chat.fileTooLarge', { name, bytesMax: formatBytes(fileBytesMax) });
  return undefined;
}

const isSame = (one: File, other: File) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

/**
 * The files without the one that the server could not read, which its message names. It would be
 * refused again with the next question.
 */
export function withoutUnreadable(
  fault: ApiFault,
  files: readonly File[],
): { fault: ApiFault; files: readonly File[] } {
  const unreadable = files.find(({ name }) => fault.message.startsWith(`${name}: `));
  if (!unreadable) return { fault, files };
  return {
    fault: { ...fault, message: t('chat.fileRemoved', { message: fault.message }) },
    files: files.filter((file) => file !== unreadable),
  };
}

/** A file of an earlier question. Null if it cannot be read any more. */
export async function download({ name, address }: TurnFile): Promise<File | null> {
  if (address === undefined) return null;
  const response = await fetch(address).catch(() => undefined);
  return response?.ok ? new File([await response.blob()], name) : null;
}
