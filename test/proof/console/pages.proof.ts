import { accessibilityFaults, missingBrowser, poorlyNamedControls } from '../../support/browser.ts';
import { readMessages } from '../../support/console-texts.ts';
import { openDemoConsole, showPage } from '../../support/demo-console.ts';
import { exactlyZero, type Proof } from '../proof.ts';

// German texts are longer, and the tests of the single pages are in English.
const quickViews = [{ locale: 'de-DE', width: 320 }];
const allViews = ['en-GB', 'de-DE'].flatMap((locale) =>
  [320, 768, 1024, 1280].map((width) => ({ locale, width })),
);

export const proof: Proof = {
  claim:
    'Every page of the console is accessible (WCAG 2.2 AA), fits its window and has all its texts, in English and German, light and dark, from 320 pixels on',
  async measure({ quick, log }) {
    if (missingBrowser) return [{ figure: 'faults of the pages', skipped: missingBrowser }];
    const site = await openDemoConsole();
    const sections = [...(await readMessages('en')).keys()].join('|');
    const textKey = new RegExp(`\\b(?:${sections})\\.[a-z]+[A-Z]\\w*`);
    const found = { accessibility: 0, texts: 0, faults: 0 };
    let views = 0;
    try {
      for (const demoPage of site.pages) {
        for (const { locale, width } of quick ? quickViews : allViews) {
          const { signedOut = false } = demoPage;
          const page = await site.page({ signedOut, locale, width, height: 800 });
          await showPage(page, site.origin, demoPage);
          const faults = [
            ...(await accessibilityFaults(page, 'light')),
            ...(await accessibilityFaults(page, 'dark')),
            ...(await poorlyNamedControls(page)),
          ];
          const text = await page.evaluate(() => document.body.innerText);
          const shownKey = textKey.exec(text)?.[0];
          await page.context().close();
          views += 1;
          found.accessibility += faults.length;
          if (shownKey) found.texts += 1;
          for (const fault of shownKey ? [...faults, `the text key ${shownKey}`] : faults)
            log(`${demoPage.name}, ${locale}, ${width} px: ${fault}`);
        }
      }
      found.faults = site.faults.length;
      for (const fault of site.faults) log(fault);
    } finally {
      await site.close();
    }
    return [
      exactlyZero(
        `faults of accessibility, unclear names and elements beyond the right edge, ${site.pages.length} pages, ${views} views, light and dark`,
        found.accessibility,
      ),
      exactlyZero('pages that show the key of a text in place of the text', found.texts),
      exactlyZero('errors of the pages, blocked styles, requests to other hosts', found.faults),
    ];
  },
};
