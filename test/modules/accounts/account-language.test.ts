import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Language } from '../../../src/platform/database/generated/client.ts';
import type { TestOrganization } from '../../support/app.ts';
import { cookieClient } from '../../support/cookie-client.ts';
import { linkIn } from '../../support/mail.ts';
import { type MailApp, mailApp } from '../../support/mail-app.ts';
import { givePassword, password, postJson, signIn } from '../../support/sign-in.ts';

const setLanguage = `mutation ($language: Language!) {
  setLanguage(input: { language: $language }) { person { language } } }`;
const inviteMember = `mutation ($email: EmailAddress!) {
  inviteMember(input: { email: $email, role: MEMBER }) { isMailed } }`;
const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
const english = { 'accept-language': 'en' };

let app: MailApp;
let owner: TestOrganization;
let count = 0;
let email: string;
let userId: string;

beforeAll(async () => {
  app = await mailApp({ EMAIL_VERIFICATION: 'required', SIGN_UP: 'open' });
  owner = await app.organization();
});
afterAll(() => app.close());
beforeEach(async () => {
  count += 1;
  email = `person-${count}@language.example`;
  ({ id: userId } = await owner.member(email));
});

const languageOf = async (address: string): Promise<Language | null | undefined> => {
  const [user] = await app.database.sql<{ language: Language | null }>`
    select language from users where email = ${address}`;
  return user?.language;
};
const store = (language: Language, address = email) =>
  app.database.sql`update users set language = ${language} where email = ${address}`;
const signInWith = async (headers: Record<string, string>) => {
  await givePassword(app, userId);
  const answer = await postJson(app, '/auth/sign-in/email', { email, password }, headers);
  expect(answer.status, app.logLines.join('')).toBe(200);
};
const requestReset = (headers: Record<string, string> = {}) =>
  postJson(app, '/auth/request-password-reset', { email }, headers);
const subjectOfNext = async (address = email) => (await app.mail.next(address)).subject;

describe('The language of an account', () => {
  it('is the one of the page of the first sign-in, and a later sign-in does not change it', async () => {
    expect(await languageOf(email)).toBeNull();
    await signInWith(german);
    expect(await languageOf(email)).toBe('DE');
    await signInWith(english);
    expect(await languageOf(email)).toBe('DE');
  });

  it('stays unknown after a sign-in that names no language', async () => {
    await signInWith({});
    await signInWith({ 'accept-language': 'fr' });
    expect(await languageOf(email)).toBeNull();
  });

  it('is chosen by the person alone, is the same in every organization, and is in the export of their data', async () => {
    const session = await signIn(app, userId);
    const chosen = await session.graph(setLanguage, { language: 'DE' });
    expect(chosen.data).toEqual({ setLanguage: { person: { language: 'DE' } } });
    const other = await signIn(app, owner.administratorId);
    expect((await other.graph('{ viewer { person { language } } }')).data).toEqual({
      viewer: { person: { language: null } },
    });
    const exported = await session.graph<{ exportAccount: { data: object } }>(
      'mutation { exportAccount(input: {}) { data } }',
    );
    expect(exported.data?.exportAccount.data).toMatchObject({ account: { language: 'DE' } });
  });

  it('is one of those that Atrium has, and needs a signed-in person', async () => {
    const session = await signIn(app, userId);
    for (const language of ['FR', 'de', '', null])
      expect((await session.graph(setLanguage, { language })).code).toBe('BAD_INPUT');
    const { key } = await owner.userKey(userId);
    const byKey = await app.graph(key, setLanguage, { language: 'DE' });
    expect(byKey.errors[0]?.extensions?.code).toBe('FORBIDDEN');
    expect((await cookieClient(app).graph(setLanguage, { language: 'DE' })).code).toBe(
      'UNAUTHENTICATED',
    );
    expect(await languageOf(email)).toBeNull();
  });

  it('of two first sign-ins at once is the one of either, and stays', async () => {
    await givePassword(app, userId);
    const answers = await Promise.all(
      [german, english, german, english].map((headers) =>
        postJson(app, '/auth/sign-in/email', { email, password }, headers),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const first = await languageOf(email);
    expect(['DE', 'EN']).toContain(first);
    await signInWith(first === 'DE' ? english : german);
    expect(await languageOf(email)).toBe(first);
  });
});

describe('A mail', () => {
  it('to a person with an account is in the language of the account, whichever page asked for it', async () => {
    await store('DE');
    await requestReset(english);
    const mail = await app.mail.next(email);
    expect(mail.subject).toBe('Wählen Sie ein neues Passwort');
    expect(mail.html).toContain('<html lang="de" dir="ltr">');
    await store('EN');
    await requestReset(german);
    expect(await subjectOfNext()).toBe('Choose a new password');
  });

  it('to an account without a language is in that of the page, or else in English', async () => {
    await requestReset(german);
    expect(await subjectOfNext()).toBe('Wählen Sie ein neues Passwort');
    await requestReset();
    expect(await subjectOfNext()).toBe('Choose a new password');
  });

  it('with which a stranger signs up is in the language of the page, which becomes the one of the account', async () => {
    const stranger = `stranger-${count}@language.example`;
    const client = cookieClient(app, german);
    const signUp = () =>
      client.post('/auth/sign-up/email', { email: stranger, password, firstName: 'Ada' });
    expect((await signUp()).status).toBe(200);
    const mail = await app.mail.next(stranger);
    expect(mail.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse');
    const token = linkIn(mail).searchParams.get('token');
    expect((await client.post('/auth/verify-email', { token })).body).toMatchObject({
      signedIn: true,
    });
    expect(await languageOf(stranger)).toBe('DE');
    const again = cookieClient(app, english);
    await again.post('/auth/sign-up/email', { email: stranger, password, firstName: 'Eve' });
    expect(await subjectOfNext(stranger)).toBe('Sie haben bereits ein Konto');
  });

  it('about a changed password or a deleted account is in the language of the account', async () => {
    await store('DE');
    const session = await signIn(app, userId);
    const changed = await session.graph(
      `mutation ($old: String!) { changePassword(input: { currentPassword: $old, newPassword: "a saddle, a bridle, a hoof", signOutElsewhere: false }) { endedSessions } }`,
      { old: password },
    );
    expect(changed.errors).toEqual([]);
    expect(await subjectOfNext()).toBe('Ihr Passwort wurde geändert');
    await session.graph(
      'mutation ($email: String!) { deleteAccount(input: { email: $email }) { success } }',
      { email },
    );
    expect(await subjectOfNext()).toBe('Ihr Konto wurde gelöscht');
  });

  it('with an invitation is in the language of the recipient, or else in that of the person who invites', async () => {
    const administrator = await signIn(app, owner.administratorId);
    const invite = async (address: string) => {
      expect((await administrator.graph(inviteMember, { email: address })).errors).toEqual([]);
      return subjectOfNext(address);
    };
    const elsewhere = await app.organization();
    const known = `known-${count}@language.example`;
    await elsewhere.member(known);
    await store('DE', known);
    expect(await invite(known)).toBe('Sie sind in einen Arbeitsbereich auf Atrium eingeladen');
    expect(await invite(`new-${count}@language.example`)).toBe(
      'You are invited to a workspace on Atrium',
    );
    await administrator.graph(setLanguage, { language: 'DE' });
    expect(await invite(`newer-${count}@language.example`)).toBe(
      'Sie sind in einen Arbeitsbereich auf Atrium eingeladen',
    );
  });

  it('to a person whom an organization has added, or whose role it changed, is in their language', async () => {
    const elsewhere = await app.organization();
    const known = `added-${count}@language.example`;
    const { id } = await elsewhere.member(known);
    await store('DE', known);
    await owner.manage('POST', '/users/add', { email: known });
    expect(await subjectOfNext(known)).toBe(
      'Sie wurden zu einer Organisation auf Atrium hinzugefügt',
    );
    const administrator = await signIn(app, elsewhere.administratorId);
    await administrator.graph(
      'mutation ($id: ID!) { setUserRole(input: { userId: $id, role: ADMIN }) { user { id } } }',
      { id },
    );
    const mail = await app.mail.next(known);
    expect(mail.subject).toBe('Ihre Rolle wurde geändert');
    expect(mail.text).toContain(
      `Sie sind jetzt Administrator der Organisation „${elsewhere.slug}“`,
    );
  });
});
