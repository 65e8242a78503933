type NamedPerson = { firstName: string; lastName: string; email: string };

/** The name of a person, or the e-mail address when they have not entered a name. */
export const displayName = ({ firstName, lastName, email }: NamedPerson): string =>
  `${firstName} ${lastName}`.trim() || email;
