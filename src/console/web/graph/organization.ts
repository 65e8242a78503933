const storageName = 'atrium.organization';

/**
 * The organization that requests of this browser name; null lets the server use the person's
 * default organization.
 */
export const chosenOrganization = (): string | null => localStorage.getItem(storageName);

export function chooseOrganization(id: string | null): void {
  if (id === null) localStorage.removeItem(storageName);
  else localStorage.setItem(storageName, id);
}

/** The session is a cookie. Every request names the organization in a header. */
export function requestHeaders(): Record<string, string> {
  const organization = chosenOrganization();
  return organization === null ? {} : { 'x-atrium-organization': organization };
}
