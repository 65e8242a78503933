import { t } from '../texts/text.ts';

/** The name of a device in the language of the page. The server names devices in English. */
export function deviceText(device: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(device) ?? [];
  if (browser !== undefined && system !== undefined)
    return t('ui.browserOnSystem', { browser, system });
  return device === 'An unknown device' ? t('ui.unknownDevice') : device;
}
