import type { SeededRandom } from '../../fuzz/seeded-random.ts';
import { Ledger } from './ledger.ts';
import type { DemoKeys, LoadActor } from './mixed-load.ts';
import type { ApiRequest, ServerAddress } from './send-request.ts';

export type CampaignState = { name: string; durationMonths: number; isActive: boolean };
export type LinkState = { campaignId: string; name: string; isActive: boolean };

const campaignsMax = 8;
const linksMax = 20;

/** Creates and changes campaigns and links. The API cannot delete them. */
export function partnerActor(name: string, keys: DemoKeys, random: SeededRandom): LoadActor {
  const ledger = new Ledger();
  let number = 0;
  const call = (method: string, path: string, json: unknown): ApiRequest => ({
    ...{
      method,
      path: `/api/sponsorship/v1${path}`,
      key: keys.organizationKey,
      json,
      idempotencyKey: `${name}-${number}`,
    },
  });

  async function step(server: ServerAddress): Promise<void> {
    number += 1;
    const title = `${name}-${number}`;
    const campaigns = ledger.objectsOf<CampaignState>('campaign');
    const links = ledger.objectsOf<LinkState>('link');
    if (campaigns.length === 0 || (campaigns.length < campaignsMax && random.percent(25))) {
      const state: CampaignState = {
        name: title,
        durationMonths: 1 + random.below(6),
        isActive: true,
      };
      const request = call('POST', '/campaigns', {
        name: title,
        durationMonths: state.durationMonths,
      });
      const change = { created: { kind: 'campaign', state } };
      return ledger.perform(server, {
        request,
        change,
        action: 'create-campaign',
        idIn: ({ campaign }) => Object(campaign).id,
      });
    }
    const campaign = random.pick(campaigns);
    if (links.length === 0 || (links.length < linksMax && random.percent(30))) {
      const state: LinkState = { campaignId: campaign.id, name: title, isActive: true };
      const change = { created: { kind: 'link', state } };
      const request = call('POST', `/campaigns/${campaign.id}/links`, { name: title });
      return ledger.perform(server, {
        request,
        change,
        action: 'create-link',
        idIn: ({ link }) => Object(link).id,
      });
    }
    if (random.percent(50)) {
      const state = { ...campaign.state, name: title, isActive: random.percent(50) };
      const request = call('PATCH', `/campaigns/${campaign.id}`, {
        name: title,
        isActive: state.isActive,
      });
      return ledger.perform(server, {
        request,
        change: { updated: [[`campaign:${campaign.id}`, state]] },
        action: 'update-campaign',
        target: campaign.id,
      });
    }
    const link = random.pick(links);
    const state = { ...link.state, name: title, isActive: random.percent(50) };
    const request = call('PATCH', `/links/${link.id}`, { name: title, isActive: state.isActive });
    return ledger.perform(server, {
      request,
      change: { updated: [[`link:${link.id}`, state]] },
      action: 'update-link',
      target: link.id,
    });
  }

  return { name, ledger, step };
}
