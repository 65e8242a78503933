type Named = { firstName: string; lastName: string; email: string };

/** What somebody is called: by their name, or by their address as long as they have not said it. */
export const displayName = ({ firstName, lastName, email }: Named): string =>
  `${firstName} ${lastName}`.trim() || email;
