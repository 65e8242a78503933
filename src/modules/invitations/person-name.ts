/** The person's name, or their e-mail address if they have not set a name. */
export const personName = ({
  firstName,
  lastName,
  email,
}: {
  firstName: string;
  lastName: string;
  email: string;
}): string => `${firstName} ${lastName}`.trim() || email;
