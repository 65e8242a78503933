// Each request costs a phone a round trip, and a browser sends at most six at the same time to a
// server without HTTP/2. So what sections share is one file. Its styles begin with the general ones,
// and those of a part come after them.
const sharedModule =
  /\/web\/(?:ui|graph|session|texts|frame)\/(?!qr\.)[^/]+$|\/node_modules\/(?:react|react-dom|scheduler)\//;

/** How the modules of the console are distributed over files, besides one file for each section. */
export const chunkGroups = [{ name: 'shared', test: sharedModule }];

type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>;

/** The modules that each section imports first, and the group of its texts. */
const sections: Record<string, { module: string; texts: string }> = {
  auth: { module: 'auth/auth.tsx', texts: 'auth' },
  '': { module: 'home/home.tsx', texts: 'home' },
  assistants: { module: 'assistants/assistants.tsx', texts: 'assistants' },
  conversations: { module: 'assistants/shared/shared-conversation.tsx', texts: 'assistants' },
  sponsorship: { module: 'sponsorship/sponsorship.tsx', texts: 'sponsorship' },
  vault: { module: 'vault/vault.tsx', texts: 'vault' },
  developers: { module: 'developers/developers.tsx', texts: 'developers' },
  notifications: {
    module: 'frame/notifications/notifications-page.tsx',
    texts: 'notifications',
  },
  settings: { module: 'settings/settings.tsx', texts: 'settings' },
};

export type Language = 'en' | 'de';
export type FilesBySection = Record<string, Record<Language, readonly string[]>>;

/**
 * The files of each section in each language besides those of every page. The page of a section
 * names them, so that the browser loads all of them at once.
 */
export function filesBySection(manifest: Manifest): FilesBySection {
  const ofEveryPage = filesOf(['index.html'], manifest);
  return Object.fromEntries(
    Object.entries(sections).map(([name, { module, texts }]) => {
      const inLanguage = (language: Language) => {
        const modules = ['page', texts].map((group) => `texts/groups/${group}-${language}.ts`);
        return [...filesOf([module, ...modules], manifest)].filter(
          (file) => !ofEveryPage.has(file),
        );
      };
      return [name, { en: inLanguage('en'), de: inLanguage('de') }];
    }),
  );
}

/** The files of these modules and of all that they import. */
function filesOf(modules: readonly string[], manifest: Manifest): Set<string> {
  const files = new Set<string>();
  const addFiles = (module: string) => {
    const chunk = manifest[module];
    if (!chunk) throw new Error(`The console was built without ${module}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const file of chunk.css ?? []) files.add(file);
    for (const imported of chunk.imports ?? []) addFiles(imported);
  };
  for (const module of modules) addFiles(module);
  return files;
}
