import type { Answer } from './answer.ts';
import type { Api } from './client.ts';
import type { Suite } from './suite.ts';

const prefix = '/api/sponsorship/v1';

export type Partner = { api: Api; campaign: (fields: Record<string, unknown>) => Promise<Answer> };

/**
 * The sponsorship calls with the key of the partner. The contract cannot delete campaigns, so the
 * cleanup deactivates them at the end.
 */
export async function createPartner(
  suite: Suite,
  description: string,
): Promise<Partner | undefined> {
  const { credentials, addCleanup, report } = suite;
  const api = suite
    .api(credentials['sponsor-key'] === undefined ? 'org-key' : 'sponsor-key', description)
    ?.under(prefix);
  if (!api) return undefined;
  if ((await api.get('/campaigns?pageSize=1')).status === 403) {
    report.skipped.set(
      description,
      'the organization of the key does not have both sponsorship features',
    );
    return undefined;
  }
  return {
    api,
    async campaign(fields) {
      const created = await api.post('/campaigns', fields);
      const id = created.at('campaign.id');
      if (typeof id !== 'string') return created;
      addCleanup(() => api.patch(`/campaigns/${id}`, { isActive: false }));
      const note = `campaigns with a name that begins with ${suite.prefix}, deactivated: the contract has no call that deletes a campaign`;
      if (!report.leftBehind.includes(note)) report.leftBehind.push(note);
      return created;
    },
  };
}
