import { announcedBytes, bodyChunks } from '../http/content-coding.ts';
import { type FormFile, type FormPart, formParts, isFile, isForm } from '../http/multipart.ts';
import { fileBytesMax, tooLarge, Upload } from '../http/upload.ts';
import { inputError } from '../platform/errors.ts';

/** The name of the part that holds the file. */
export const filePart = 'file';

// The bytes that a form may have in addition to the file: boundaries, headers and ignored fields.
const overheadBytesMax = 1_048_576;
const bytesMax = fileBytesMax + overheadBytesMax;

/**
 * Returns the file of a multipart form. Neither the content type nor the body is read before the
 * operation opens the upload.
 */
export const readUpload = (request: Request): Upload =>
  new Upload(() => openForm(request), announcedBytes(request.headers) - overheadBytesMax);

async function openForm(request: Request) {
  const { headers } = request;
  if (!isForm(headers))
    throw inputError(
      'Content-Type',
      'INVALID_FORMAT',
      `The body must be multipart/form-data with a part "${filePart}"`,
    );
  if (Number(headers.get('content-length') ?? 0) > bytesMax) throw tooLarge();
  const parts = formParts(headers, bodyChunks(request, { bytesMax }));
  let hint = '';
  for (;;) {
    const { done, value: part } = await parts.next();
    if (done)
      throw inputError(
        filePart,
        'REQUIRED',
        `The form must have a part "${filePart}" that is a file${hint}`,
      );
    if (isTheFile(part))
      return { name: part.fileName, mimeType: part.mimeType, content: contentOf(part, parts) };
    if (part.name === filePart) hint = `, but its part "${filePart}" has no file name`;
    else if (isFile(part)) hint ||= `, but its file is the part "${part.name.slice(0, 100)}"`;
  }
}

const isTheFile = (part: FormPart): part is FormFile => isFile(part) && part.name === filePart;

/** The content of the file. The rest of the form is read too, because it can be invalid. */
async function* contentOf(file: FormFile, parts: AsyncGenerator<FormPart>) {
  try {
    yield* file.content;
    for await (const part of parts)
      if (isTheFile(part))
        throw inputError(
          filePart,
          'REPEATED',
          `The form must have one part "${filePart}", not several`,
        );
  } finally {
    await parts.return(undefined);
  }
}
