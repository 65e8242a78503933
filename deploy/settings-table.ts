import { readEnv, settings } from '../src/platform/env.ts';

const head = '| setting | default | meaning |\n|---|---|---|\n';

/** The README with its table of settings as the settings themselves tell it. */
export function withSettings(readme: string): string {
  const start = readme.indexOf(head) + head.length;
  const end = readme.indexOf('\n\n', start);
  if (start < head.length || end < start) throw new Error('The README has no table of settings');
  return readme.slice(0, start) + rows().join('\n') + readme.slice(end);
}

function rows(): string[] {
  // What these are depends on another setting, which their meaning says.
  const defaults: Record<string, unknown> = {
    ...readEnv({}),
    GRAPHIQL: undefined,
    INTROSPECTION: undefined,
    EMAIL_VERIFICATION: undefined,
  };
  return Object.entries(settings.shape).map(([name, { description }]) => {
    const value = defaults[name];
    const isAbsent = value === undefined || (Array.isArray(value) && value.length === 0);
    return `| \`${name}\` | ${isAbsent ? '' : `\`${value}\``} | ${description} |`;
  });
}
