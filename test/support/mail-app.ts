import { testApp } from './app.ts';
import { receiveMail } from './mail.ts';

/** An application that sends mail, and the mailboxes that receive it. */
export async function mailApp(settings: Record<string, string> = {}) {
  const mail = await receiveMail();
  const app = await testApp({ ...settings, ...mail.settings });
  return {
    ...app,
    mail,
    async close() {
      await app.close();
      await mail.close();
    },
  };
}

export type MailApp = Awaited<ReturnType<typeof mailApp>>;
