import { messageOf } from '../platform/error-message.ts';

/** Runs a command. Of an error it writes the message to standard error, and sets the exit code. */
export function runCommand(
  main: () => Promise<void>,
  exitCodeOf: (error: unknown) => number = () => 1,
): void {
  main().catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = exitCodeOf(error);
  });
}

/** For commands without arguments: `--help`, for example, must not run them. */
export function requireNoArguments(usage: string): void {
  if (process.argv.length > 2) throw new Error(usage);
}

export const printLine = (line: string) => process.stdout.write(`${line}\n`);
