/** The message of any thrown value. One about a file is a sentence that says what to do. */
export function messageOf(error: unknown, path?: string): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const named = path ?? ('path' in error ? String(error.path) : undefined);
  const explain = explanations[code];
  if (explain === undefined || named === undefined) return error.message;
  return `${explain(named)} (${code})`;
}

const explanations: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `This user has no access to ${path}. Give it access, or name another place`,
  EPERM: (path) => `This user may not change ${path}. Give it access, or name another place`,
  EROFS: (path) => `${path} is on a disk that is read-only. Name another place`,
  ENOENT: (path) => `There is no ${path}. Name a place that exists`,
  ENOTDIR: (path) => `${path} is a file or below one, and not a directory. Name a directory`,
  EISDIR: (path) => `${path} is a directory, and not a file. Name a file`,
  ENOSPC: (path) => `There is no space left for ${path}. Free some, or name another disk`,
  EDQUOT: (path) => `There is no space left for ${path}. Free some, or name another disk`,
  EMFILE: (path) =>
    `${path} cannot be opened beside so many open files. Raise the limit, see ulimit -n`,
};
