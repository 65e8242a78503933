import type { Page } from 'playwright-core';
import type { Workspace } from '../../src/modules/demo/make-workspace.ts';
import type { Database } from '../../src/platform/database/database.ts';

/** A page of the console: its path, and the actions that bring it into the wanted state. */
export type DemoPage = {
  name: string;
  path: string;
  signedOut?: boolean;
  /** Whether it shows times of this machine or random values, so that two screenshots differ. */
  showsMeasurements?: boolean;
  prepare?: (page: Page) => Promise<unknown>;
};

/** All pages of the console with the demo data. */
export async function pagesOf({
  database,
  partner,
  invitation,
}: {
  database: Database;
  partner: Workspace;
  invitation: string;
}): Promise<DemoPage[]> {
  const [handbook] = partner.assistants;
  const campaign = await database.prisma.campaign.findFirstOrThrow({
    where: { organizationId: partner.id, completedRedemptions: { gt: 0 } },
    orderBy: { createdAt: 'asc' },
    select: { id: true },
  });
  const link = await database.prisma.link.findFirstOrThrow({
    where: {
      campaign: {
        organizationId: partner.id,
        isActive: true,
        expiresAt: null,
        maxRedemptions: null,
      },
      isActive: true,
      passwordHash: null,
    },
    select: { id: true, token: true },
  });
  const ofPartner = { campaign: { organizationId: partner.id } };
  const withPassword = await database.prisma.link.findFirstOrThrow({
    where: { ...ofPartner, isActive: true, passwordHash: { not: null } },
    select: { token: true },
  });
  const inactive = await database.prisma.link.findFirstOrThrow({
    where: { campaign: { organizationId: partner.id, isActive: false } },
    select: { token: true },
  });
  const redemption = await database.prisma.redemption.findFirstOrThrow({
    where: { ...ofPartner, extendedUntil: { not: null } },
    orderBy: { redeemedAt: 'desc' },
    select: { id: true, redeemedAt: true },
  });
  const team = await database.prisma.team.findFirstOrThrow({
    where: { organizationId: partner.id, isDefault: false },
    select: { id: true },
  });
  const assistant = `/assistants/${handbook?.id}`;
  return [
    { name: 'sign-in', path: '/auth', signedOut: true },
    { name: 'forgot', path: '/auth/forgot', signedOut: true },
    { name: 'reset', path: '/auth/reset?token=used', signedOut: true },
    { name: 'verify', path: '/auth/verify?token=used', signedOut: true },
    { name: 'membership', path: '/auth/membership?token=used', signedOut: true },
    { name: 'invitation', path: invitation, signedOut: true },
    { name: 'sponsored-password', path: `/auth?sponsored=${withPassword.token}`, signedOut: true },
    { name: 'sponsored-refused', path: `/auth?sponsored=${inactive.token}`, signedOut: true },
    { name: 'sponsored-confirm', path: `/auth?sponsored=${link.token}` },
    { name: 'sponsored', path: `/auth?sponsored=${link.token}`, signedOut: true },
    { name: 'home', path: '/' },
    { name: 'assistants', path: '/assistants' },
    { name: 'new-assistant', path: '/assistants/new' },
    { name: 'chat', path: assistant, prepare: askForMeals },
    { name: 'files', path: `${assistant}/files` },
    { name: 'assistant-settings', path: `${assistant}/settings` },
    { name: 'versions', path: `${assistant}/versions` },
    { name: 'feedback', path: `${assistant}/feedback` },
    { name: 'sponsorship', path: '/sponsorship' },
    { name: 'campaigns', path: '/sponsorship/campaigns' },
    { name: 'campaign', path: `/sponsorship/campaigns/${campaign.id}` },
    { name: 'link', path: `/sponsorship/links/${link.id}`, showsMeasurements: true },
    { name: 'branding', path: '/sponsorship/branding' },
    { name: 'statements', path: '/sponsorship/statements' },
    {
      name: 'statement',
      path: `/sponsorship/statements/${redemption.redeemedAt.toISOString().slice(0, 7)}`,
    },
    { name: 'redemptions', path: '/sponsorship/redemptions' },
    { name: 'redemption', path: `/sponsorship/redemptions/${redemption.id}` },
    { name: 'vault', path: '/vault', showsMeasurements: true },
    { name: 'vault-documents', path: '/vault/documents' },
    { name: 'vault-search', path: '/vault/search', prepare: searchForHotels },
    { name: 'developers', path: '/developers' },
    { name: 'notifications', path: '/notifications' },
    { name: 'profile', path: '/settings' },
    { name: 'security', path: '/settings/security' },
    { name: 'my-keys', path: '/settings/keys' },
    { name: 'organization', path: '/settings/organization' },
    { name: 'organization-keys', path: '/settings/organization-keys' },
    { name: 'members', path: '/settings/members' },
    { name: 'teams', path: '/settings/teams' },
    { name: 'team', path: `/settings/teams/${team.id}` },
    { name: 'usage', path: '/settings/usage' },
    { name: 'audit', path: '/settings/audit', prepare: waitForSeal },
    { name: 'webhooks', path: '/settings/webhooks' },
    { name: 'this-page', path: '/assistants', prepare: showCode },
    { name: 'palette', path: '/assistants', prepare: openPalette },
    { name: 'not-found', path: '/nope' },
  ];
}

async function askForMeals(page: Page): Promise<void> {
  await page.getByRole('textbox').last().fill('How much is the meal allowance in Austria?');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^(copy answer|antwort kopieren)$/i }).waitFor();
  await page
    .getByRole('button', { name: /^(source|quelle) 1:/i })
    .first()
    .click();
}

async function searchForHotels(page: Page): Promise<void> {
  await page.getByRole('searchbox').or(page.getByRole('textbox')).first().fill('hotel in Munich');
  await page.keyboard.press('Enter');
  await page.getByRole('table').first().waitFor();
}

async function showCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account menu$|Kontomenü$/ }).click();
  await page.getByRole('button', { name: /this page as graphql|diese seite als graphql/i }).click();
  await page.getByRole('dialog').waitFor();
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
}

/** New entries are sealed every ten seconds. */
async function waitForSeal(page: Page): Promise<void> {
  while ((await page.getByText(/^(Sealed up to|Versiegelt bis)/).count()) === 0) {
    await page.waitForTimeout(1_000);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  }
}
