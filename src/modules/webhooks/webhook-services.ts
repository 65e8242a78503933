import type { WebhookCipher } from './webhook-secret.ts';

/** What requests need of the webhooks of the process. */
export type WebhookServices = {
  cipher: WebhookCipher;
  /** Whether endpoints may be on this machine. */
  allowLoopback: boolean;
  /** Looks for deliveries at once instead of at the next poll. */
  wake: () => void;
};

declare module '../../access/context.ts' {
  interface Services {
    webhooks: WebhookServices;
  }
}
