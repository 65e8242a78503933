import type { Locator, Page } from 'playwright-core';
import { openConsole } from './browser.ts';
import { givePassword, password } from './sign-in.ts';
import { startVaultServers } from './vault-servers.ts';

/** How a person uses a page: by keyboard alone on a desktop, or by touch on a phone. */
export type Hand = {
  page: Page;
  /** Presses a button or follows a link. */
  press: (target: Locator) => Promise<void>;
  /** Checks a box. */
  check: (target: Locator) => Promise<void>;
  /** Writes into an empty field. */
  write: (target: Locator, text: string) => Promise<void>;
  /** Chooses an option of a native list. */
  choose: (target: Locator, option: string) => Promise<void>;
  /** Opens a page of the main navigation. */
  goTo: (name: string) => Promise<void>;
};

// The longest page of the journeys has about 60 elements that Tab reaches.
const tabsMax = 200;

/** Moves the focus by Tab until the element has it. */
async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}

function keyboardOf(page: Page): Hand {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const press = async (target: Locator) => {
    await reach(page, target);
    await page.keyboard.press('Enter');
  };
  return {
    page,
    press,
    async check(target) {
      await reach(page, target);
      await page.keyboard.press('Space');
    },
    async write(target, text) {
      await reach(page, target);
      await page.keyboard.type(text);
    },
    async choose(target, option) {
      await reach(page, target);
      await page.keyboard.type(option);
    },
    goTo: (name) => press(navigation.getByRole('link', { name, exact: true })),
  };
}

function touchOf(page: Page): Hand {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const press = (target: Locator) => target.tap();
  return {
    page,
    press,
    check: press,
    async write(target, text) {
      await target.tap();
      await page.keyboard.insertText(text);
    },
    async choose(target, option) {
      await target.tap();
      // The list of the phone is not a part of the page.
      await target.selectOption({ label: option });
    },
    async goTo(name) {
      await page.getByRole('button', { name: 'Menu', exact: true }).tap();
      await navigation.getByRole('link', { name, exact: true }).tap();
    },
  };
}

export const hands = ['keyboard', 'touch'] as const;

/** The console of an application with a real vault that reads files. */
export async function openJourneys() {
  const vault = await startVaultServers();
  const site = await openConsole({}, { vault: vault.client });
  site.app.startProcessing();

  /** A page where nobody is signed in. */
  async function visit(kind: (typeof hands)[number], path: string): Promise<Hand> {
    const isTouch = kind === 'touch';
    const viewport = isTouch ? { touch: true, width: 390, height: 844 } : {};
    const page = await site.page(viewport);
    await page.goto(`${site.origin}${path}`);
    return isTouch ? touchOf(page) : keyboardOf(page);
  }

  return {
    ...site,
    visit,
    /** Opens the console, where the person signs in with address and password. */
    async enter(kind: (typeof hands)[number], userId: string): Promise<Hand> {
      const email = await givePassword(site.app, userId);
      const hand = await visit(kind, '/');
      const form = hand.page.getByRole('form', { name: 'Sign in' });
      await hand.write(form.getByLabel('E-mail address'), email);
      await hand.write(form.getByLabel('Password', { exact: true }), password);
      await hand.press(form.getByRole('button', { name: 'Sign in', exact: true }));
      await hand.page.getByRole('button', { name: /account menu$/ }).waitFor();
      return hand;
    },
    async close() {
      await site.close();
      await vault.close();
    },
  };
}
