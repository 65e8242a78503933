const storageName = 'atrium.organization';

// Read once for each page load, and not for each request: another tab can choose another
// organization, and what this page shows and does stays in its own. A reload keeps it, and a new tab
// begins with the last choice of any tab, or with the organization of the link that opened it.
let current = sessionStorage.getItem(storageName) ?? localStorage.getItem(storageName);

/**
 * The organization that requests of this tab name; null lets the server use the person's default
 * organization.
 */
export const chosenOrganization = (): string | null => current;

export function chooseOrganization(id: string | null): void {
  keepOrganization(id);
  if (id === null) localStorage.removeItem(storageName);
  else localStorage.setItem(storageName, id);
}

/** Keeps this tab in the organization that it shows, without a choice for other tabs. */
export function keepOrganization(id: string | null): void {
  current = id;
  if (id === null) sessionStorage.removeItem(storageName);
  else sessionStorage.setItem(storageName, id);
}

/**
 * Lets links of this page open new tabs in the organization of this page. Another tab may have
 * chosen another one since, in which the link would lead nowhere.
 */
export function carryOrganization(): () => void {
  const carry = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    const opensTab =
      event.type !== 'click' ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      link?.getAttribute('target') === '_blank';
    if (link && opensTab && current !== null) localStorage.setItem(storageName, current);
  };
  // A middle click is an auxclick, and the context menu has a command that opens a tab.
  const types = ['click', 'auxclick', 'contextmenu'] as const;
  for (const type of types) addEventListener(type, carry, { capture: true });
  return () => {
    for (const type of types) removeEventListener(type, carry, { capture: true });
  };
}

/** The session is a cookie. Every request names the organization in a header. */
export function requestHeaders(): Record<string, string> {
  return current === null ? {} : { 'x-atrium-organization': current };
}
