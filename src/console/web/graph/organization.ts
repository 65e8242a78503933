const storageName = 'atrium.organization';

/** The organization that this browser asks in; null leaves the choice to Atrium. */
export const chosenOrganization = (): string | null => localStorage.getItem(storageName);

export function chooseOrganization(id: string | null): void {
  if (id === null) localStorage.removeItem(storageName);
  else localStorage.setItem(storageName, id);
}
