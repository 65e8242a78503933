export type ResultRow = Record<string, unknown>;

/** Executes a statement, prepared under its name. Without a name it is planned each time. */
export type Query = <Row extends ResultRow = ResultRow>(
  name: string | undefined,
  text: string,
  values: unknown[],
) => Promise<Row[]>;
