/**
 * How large a request to /graphql may be. Everything here is judged before the first statement
 * reaches the database. The largest document that our own tools send is GraphiQL's introspection:
 * 184 tokens and 73 fields, with its fragments unfolded 230 in 15 levels.
 */
export const graphLimits = {
  /** The parser stops here: ten times the introspection. */
  tokens: 2_000,
  /** Comments and spaces are no tokens, yet the parser's cache keeps the whole text. */
  documentCharacters: 20_000,
  /**
   * Validation compares every two fields of a selection set: 660 of them took 200 ms, 400 in the
   * worst order 40.
   */
  fieldsWritten: 400,
  /** With every fragment unfolded as often as it is used: four introspections in one document. */
  fieldsUnfolded: 1_000,
  /**
   * Teams with a page of users, those with their teams, and those with a page of users again end at
   * seven.
   */
  depth: 10,
  /** Only an alias asks for the same list twice. REST's documents use one. */
  aliases: 30,
  /**
   * Each is a look-up in validation and another in execution; a document with a @skip on every
   * widget stays below.
   */
  directives: 30,
  /** Each root field is at least one statement; a dashboard asks for its widgets in one request. */
  rootFields: 20,
  /** `ofType` stands nine times in the usual introspection, which ends at 15. */
  introspectionDepth: 16,
  /**
   * `types` and `fields` in each other are what tools ask for; a third such list is a product that
   * no tool needs.
   */
  introspectionLists: 2,
  /**
   * Values in the answer, as the fields declare them: a list multiplies by what its arguments and
   * variables ask for, or by ten. A page of 100 users with everything about them and their teams
   * weighs 3,000.
   */
  cost: 10_000,
  /**
   * What is wrong with a document or its variables is told up to here; each further fault costs us
   * more than it helps.
   */
  faultsTold: 10,
  /** Parsed documents that are kept; one of 2,000 tokens takes half a megabyte. */
  documentsKept: 100,
} as const;
