export type SessionCookies = { name: string; value: string }[];

/** Signs a person in to a running server and returns the cookies of the session for a browser. */
export async function signInCookies(
  origin: string,
  { email, password }: { email: string; password: string },
): Promise<SessionCookies> {
  const { headers, status } = await fetch(`${origin}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email, password }),
  });
  if (status !== 200) throw new Error(`signing in answered ${status}`);
  return headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
}
