/**
 * The limits of a GraphQL request. All are checked before the first statement reaches the database.
 * The largest document of our own tools is GraphiQL's introspection query: 184 tokens and 73
 * fields, 230 fields in 15 levels with its fragments expanded.
 */
export const graphLimits = {
  /** The parser stops at this number: ten times the introspection query. */
  tokens: 2_000,
  /** Comments and spaces do not count as tokens, but the parser's cache stores the whole text. */
  documentCharacters: 20_000,
  /**
   * Validation compares each pair of fields of a selection set: 660 fields took 200 ms, and 400 in
   * the worst order 40 ms.
   */
  fieldsWritten: 400,
  /** Counted with every use of a fragment expanded: four introspection queries in one document. */
  fieldsExpanded: 1_000,
  /**
   * Teams with a page of users, the teams of these users, and again a page of their users have
   * seven levels.
   */
  depth: 10,
  /** Requesting the same list twice requires an alias. The documents behind REST use one. */
  aliases: 30,
  /**
   * Each directive is looked up in validation and in execution. A document with a @skip on every
   * widget stays below.
   */
  directives: 30,
  /**
   * Each root field needs at least one statement. A dashboard requests its widgets in one document.
   */
  rootFields: 20,
  /** The standard introspection query nests `ofType` nine times and has 15 levels. */
  introspectionDepth: 16,
  /**
   * Tools nest `fields` in `types`. A third nested list would multiply the size, and no tool needs
   * it.
   */
  introspectionLists: 2,
  /**
   * Number of values in the response, as declared by the fields: a list multiplies by its page size
   * argument, or by its assumed size. A page of 100 users with all their fields and teams costs
   * 2,806.
   */
  cost: 10_000,
  /**
   * The number of errors that are reported for a document and its variables. Each further error
   * costs more time than it is worth.
   */
  errorsReportedMax: 10,
  /** The number of cached parsed documents. A document of 2,000 tokens takes half a megabyte. */
  documentsCachedMax: 100,
} as const;
