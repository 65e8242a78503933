import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileServices } from '../assistant-files/file-services.ts';
import { features } from '../organizations/features.ts';
import { makeAssistants } from './make-assistants.ts';
import { makeCampaigns } from './make-campaigns.ts';
import { makeWorkspace, type Workspace, type WorkspacePerson } from './make-workspace.ts';
import { uploadHandbook } from './upload-handbook.ts';

const plans = [
  { slug: 'partner', name: 'Partner GmbH', features, team: 'Support' },
  { slug: 'rival', name: 'Rival AG', features, team: 'Research' },
  { slug: 'plain', name: 'Plain Ltd', features: [], team: 'Office' },
] as const;

/**
 * Creates three demo organizations: two with every feature, which sponsor others, and one without
 * features.
 */
export async function seed(dependencies: {
  database: Database;
  clock: Clock;
  files: Pick<FileServices, 'storage' | 'wake' | 'quotas'>;
}): Promise<{ organizations: Workspace[] }> {
  const [existing] = await dependencies.database.sql<{ slug: string }>`
    select slug from organizations where slug = any(${plans.map(({ slug }) => slug)}) limit 1`;
  if (existing)
    throw new Error(`This database is seeded already: it has an organization "${existing.slug}"`);
  const organizations: Workspace[] = [];
  for (const { slug, ...plan } of plans) {
    const workspace = await makeWorkspace({ ...plan, slug, people: peopleOf(slug) }, dependencies);
    workspace.assistants = await makeAssistants(workspace, dependencies);
    if (workspace.features.includes('assistantFiles'))
      await uploadHandbook(workspace, dependencies);
    if (workspace.features.includes('partnerSponsorship'))
      await makeCampaigns({ organizationId: workspace.id, slug }, dependencies);
    organizations.push(workspace);
  }
  return { organizations };
}

const peopleOf = (slug: string): readonly [WorkspacePerson, ...WorkspacePerson[]] => [
  { role: 'admin', email: `admin@${slug}.example`, firstName: 'Ada', lastName: 'Amsel' },
  { role: 'editor', email: `editor@${slug}.example`, firstName: 'Emil', lastName: 'Esche' },
  { role: 'viewer', email: `viewer@${slug}.example`, firstName: 'Vera', lastName: 'Vogel' },
  { role: 'outsider', email: `outsider@${slug}.example`, firstName: 'Otto', lastName: 'Ohm' },
];
