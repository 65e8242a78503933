/**
 * Whether the Prefer header has this preference without a value, or with the value true (RFC 7240).
 * Parameters of the preference and other preferences are ignored, as the RFC says.
 */
export const hasPreference = (headers: Headers, name: string): boolean =>
  (headers.get('prefer') ?? '').split(',').some((preference) => {
    const [, token = '', value = ''] =
      /^\s*([\w-]+)\s*(?:=\s*([^;\s]*)\s*)?(?:;|$)/.exec(preference) ?? [];
    return (
      token.toLowerCase() === name && ['', '""', 'true', '"true"'].includes(value.toLowerCase())
    );
  });
