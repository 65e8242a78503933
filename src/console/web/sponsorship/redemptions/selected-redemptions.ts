import type { RedemptionRowFragment } from '../documents.ts';

export type SelectedRedemptions = ReadonlyMap<string, RedemptionRowFragment>;
