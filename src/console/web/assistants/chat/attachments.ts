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
 * The files without the one that the server could not read, which its fault names. It would be
 * refused again with the next question.
 */
export function withoutUnreadable(
  fault: ApiFault,
  files: readonly File[],
): { fault: ApiFault; files: readonly File[] } {
  const index = fault.paths?.map(indexOfFile).find((each) => each !== undefined);
  const unreadable = index === undefined ? undefined : files[index];
  if (!unreadable) return { fault, files };
  const { name } = unreadable;
  // A message of the server names the file; one of the console does not.
  const message = fault.message.startsWith(`${name}: `)
    ? fault.message
    : `${name}: ${fault.message}`;
  return {
    fault: { ...fault, message: t('chat.fileRemoved', { message }) },
    files: files.filter((file) => file !== unreadable),
  };
}

/** The index in a path such as `["input", "files", 1]`. */
function indexOfFile(path: readonly (string | number)[]): number | undefined {
  const [name, index] = path.slice(-2);
  return name === 'files' && typeof index === 'number' ? index : undefined;
}

/** A file of an earlier question. Null if it cannot be read any more. */
export async function download({ name, address }: TurnFile): Promise<File | null> {
  if (address === undefined) return null;
  const response = await fetch(address).catch(() => undefined);
  return response?.ok ? new File([await response.blob()], name) : null;
}
