import type { Chance } from '../../fuzz/chance.ts';
import type { Asked, Line } from './ask.ts';
import { Ledger } from './ledger.ts';
import type { Actor, Keys } from './load.ts';

export type CampaignState = { name: string; durationMonths: number; isActive: boolean };
export type LinkState = { campaignId: string; name: string; isActive: boolean };

const campaignsMax = 8;
const linksMax = 20;

/** Makes and changes campaigns and links; none of them can be removed. */
export function partnerActor(name: string, keys: Keys, chance: Chance): Actor {
  const ledger = new Ledger();
  let number = 0;
  const all = <State>(kind: string) =>
    [...ledger.objects].flatMap(([object, state]) =>
      object.startsWith(kind) ? [{ id: object.slice(kind.length), state: state as State }] : [],
    );
  const call = (method: string, path: string, json: unknown): Asked => ({
    ...{
      method,
      path: `/api/sponsorship/v1${path}`,
      key: keys.organizationKey,
      json,
      again: `${name}-${number}`,
    },
  });

  async function step(line: Line): Promise<void> {
    number += 1;
    const title = `${name}-${number}`;
    const campaigns = all<CampaignState>('campaign:');
    const links = all<LinkState>('link:');
    if (campaigns.length === 0 || (campaigns.length < campaignsMax && chance.percent(25))) {
      const state: CampaignState = {
        name: title,
        durationMonths: 1 + chance.below(6),
        isActive: true,
      };
      const asked = call('POST', '/campaigns', {
        name: title,
        durationMonths: state.durationMonths,
      });
      const change = { made: { kind: 'campaign', state } };
      return ledger.perform(line, {
        asked,
        change,
        action: 'create-campaign',
        idIn: ({ campaign }) => Object(campaign).id,
      });
    }
    const campaign = chance.pick(campaigns);
    if (links.length === 0 || (links.length < linksMax && chance.percent(30))) {
      const state: LinkState = { campaignId: campaign.id, name: title, isActive: true };
      const change = { made: { kind: 'link', state } };
      const asked = call('POST', `/campaigns/${campaign.id}/links`, { name: title });
      return ledger.perform(line, {
        asked,
        change,
        action: 'create-link',
        idIn: ({ link }) => Object(link).id,
      });
    }
    if (chance.percent(50)) {
      const state = { ...campaign.state, name: title, isActive: chance.percent(50) };
      const asked = call('PATCH', `/campaigns/${campaign.id}`, {
        name: title,
        isActive: state.isActive,
      });
      return ledger.perform(line, {
        asked,
        change: { put: [[`campaign:${campaign.id}`, state]] },
        action: 'update-campaign',
        target: campaign.id,
      });
    }
    const link = chance.pick(links);
    const state = { ...link.state, name: title, isActive: chance.percent(50) };
    const asked = call('PATCH', `/links/${link.id}`, { name: title, isActive: state.isActive });
    return ledger.perform(line, {
      asked,
      change: { put: [[`link:${link.id}`, state]] },
      action: 'update-link',
      target: link.id,
    });
  }

  return { name, ledger, step };
}
