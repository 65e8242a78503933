/** Whether a call of the file system failed because the disk, a quota or a file has no space left. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code));
