import { readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';

type RollingFileOptions = { directory: string; name: string; bytesMax: number; filesMax: number };

/**
 * Writes to `<name>.<day>.<number>.log`. A new file begins every day and when the size is reached;
 * the oldest files are deleted. `current.log` is a symbolic link to the newest.
 */
export function openRollingFile({ directory, name, bytesMax, filesMax }: RollingFileOptions) {
  const nameForm = new RegExp(`^${name}\\.(\\d{4}-\\d\\d-\\d\\d)\\.(\\d+)\\.log$`);
  const files = () =>
    readdirSync(directory)
      .flatMap((file) => {
        const [, day, number] = nameForm.exec(file) ?? [];
        return day === undefined ? [] : { file, day, number: Number(number) };
      })
      .toSorted((a, b) => a.day.localeCompare(b.day) || a.number - b.number);
  const fileName = () => `${name}.${day}.${number}.log`;

  let day = today();
  let number = files().findLast((file) => file.day === day)?.number ?? 1;
  let bytes = statSync(join(directory, fileName()), { throwIfNoEntry: false })?.size ?? 0;
  let isRolling = false;
  let isClosed = false;
  const destination = pino.destination({
    dest: join(directory, fileName()),
    mode: 0o600,
    sync: false,
  });
  linkToCurrent();
  let midnight = atMidnight();
  destination.once('close', () => {
    isClosed = true;
    clearTimeout(midnight);
  });

  function linkToCurrent(): void {
    const link = join(directory, 'current.log');
    const newLink = `${link}.${process.pid}`;
    rmSync(newLink, { force: true });
    symlinkSync(fileName(), newLink);
    renameSync(newLink, link);
  }

  function atMidnight(): NodeJS.Timeout {
    const nextDay = new Date().setHours(24, 0, 0, 0);
    return setTimeout(() => {
      if (day !== today()) roll();
      midnight = atMidnight();
    }, nextDay - Date.now()).unref();
  }

  function roll(): void {
    isRolling = false;
    if (isClosed) return;
    try {
      const isNewDay = day !== today();
      day = today();
      number = isNewDay ? 1 : number + 1;
      bytes = 0;
      destination.reopen(join(directory, fileName()));
      linkToCurrent();
      const older = files().filter(({ file }) => file !== fileName());
      for (const { file } of older.slice(0, 1 - filesMax)) rmSync(join(directory, file));
    } catch (error) {
      destination.emit('error', error);
    }
  }

  destination.on('write', (written: number) => {
    bytes += written;
    if (isRolling || bytes < bytesMax) return;
    isRolling = true;
    // The file is exchanged when everything so far is written.
    destination.once('drain', roll);
  });
  return destination;
}

/** The day in the local time zone. */
function today(): string {
  const now = new Date();
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}
