import { builder } from '../../graph/schema/builder.ts';
import type { FeatureName } from './features.ts';

export const Feature = builder.enumType('Feature', {
  description: 'A part of the product that platform support switches on for an organization.',
  values: {
    ASSISTANT_FILES: { description: 'Assistants answer from files that people upload.' },
    AUDIT: {
      description: 'Organization keys read the audit log. Administrators always can.',
    },
    EVENTS: { description: 'Organization keys read the events of the organization.' },
    USER_MANAGEMENT: {
      description: 'Organization keys manage users and teams. Administrators always can.',
    },
    USER_ROLES: {
      description: 'Organization keys make users administrators; needs USER_MANAGEMENT as well.',
    },
    PARTNER_SPONSORSHIP: { description: 'The organization sponsors workspaces of others.' },
    PARTNER_SPONSORSHIP_API: {
      description: 'Organization keys manage sponsorship; needs PARTNER_SPONSORSHIP as well.',
    },
  } satisfies Record<FeatureName, object>,
});
