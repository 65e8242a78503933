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

export const printLine = (line: string) => process.stdout.write(`${line}\n`);

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
