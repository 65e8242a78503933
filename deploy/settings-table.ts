import { readEnv } from '../src/platform/env.ts';
import { settings } from '../src/platform/settings.ts';
import { replaceSection } from './marked-section.ts';

const head = ['| setting | default | meaning |', '|---|---|---|'];

/** The page of settings with its table computed from the settings themselves. */
export const withSettings = (page: string): string =>
  replaceSection(page, 'settings', [...head, ...rows()].join('\n'));

function rows(): string[] {
  // The default of these depends on another setting, which their description names.
  const defaults: Record<string, unknown> = {
    ...readEnv({}),
    GRAPHIQL: undefined,
    INTROSPECTION: undefined,
    EMAIL_VERIFICATION: undefined,
    GRAPHQL_DOCUMENT_POLICY: 'allow',
  };
  return Object.entries(settings.shape).map(([name, { description }]) => {
    const value = defaults[name];
    const isAbsent = value === undefined || (Array.isArray(value) && value.length === 0);
    return `| \`${name}\` | ${isAbsent ? '' : `\`${value}\``} | ${description} |`;
  });
}
