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
