import type { Answer } from './answer.ts';
import type { Api } from './client.ts';
import type { Suite } from './suite.ts';

const prefix = '/api/sponsorship/v1';

export type Partner = { api: Api; campaign: (fields: Record<string, unknown>) => Promise<Answer> };

/**
 * The sponsorship calls of the partner's key. What it makes cannot be deleted by the contract: it
 * is switched off at the end.
 */
export async function partnerOf(suite: Suite, what: string): Promise<Partner | undefined> {
  const { credentials, later, report } = suite;
  const api = suite
    .api(credentials['sponsor-key'] === undefined ? 'org-key' : 'sponsor-key', what)
    ?.under(prefix);
  if (!api) return undefined;
  if ((await api.get('/campaigns?pageSize=1')).status === 403) {
    report.leftOut.set(what, 'the organization of the key does not have both sponsorship features');
    return undefined;
  }
  return {
    api,
    async campaign(fields) {
      const created = await api.post('/campaigns', fields);
      const id = created.at('campaign.id');
      if (typeof id !== 'string') return created;
      later(() => api.patch(`/campaigns/${id}`, { isActive: false }));
      const note = `campaigns with a name that begins with ${suite.prefix}, switched off: the contract has no call that deletes a campaign`;
      if (!report.remains.includes(note)) report.remains.push(note);
      return created;
    },
  };
}
