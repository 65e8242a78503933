/**
 * A part of the product that can be enabled for an organization: the features that keys and people
 * need for it.
 */
export type ProductArea = {
  readonly name: string;
  readonly keyFeatures: readonly string[];
  readonly sessionFeatures: readonly string[];
};

/**
 * The requirements that a field can have for its viewer. Fields declare them as data, and REST
 * checks the same data before it reads the input.
 */
type AuthScopes = {
  /** A key or session of an organization. */
  member: boolean;
  /** An organization key or a signed-in administrator, in an organization that has the area. */
  manages: ProductArea;
  /**
   * A person of the organization, with a user key or signed in. An organization key belongs to no
   * person.
   */
  person: boolean;
  /** The organization has the area. */
  enabled: ProductArea;
  /** A signed-in member; keys are rejected. */
  signedIn: boolean;
  /** A signed-in administrator; keys are rejected. */
  administrator: boolean;
  /** A signed-in person with or without an organization; keys are rejected. */
  account: boolean;
  /**
   * A signed-in person of platform support; keys and roles in an organization are not sufficient.
   */
  platformSupport: boolean;
};

export type ScopeMap = Partial<AuthScopes>;
