import { type Fragment, fragment } from '../../../platform/database/sql.ts';

/** The price of a sponsored workspace for the partner. Only platform support sets it. */
export type Pricing = { model: string; amountEur: number; unit: string };

/**
 * The pricing as columns of a row. Three columns cost less than a JSON object that Postgres builds.
 */
export type PricingColumns = {
  pricingModel: string | null;
  pricingAmountEur: number | null;
  pricingUnit: string | null;
};

export const pricingColumns = (table: Fragment) =>
  fragment`${table}.pricing_model as "pricingModel", ${table}.pricing_amount_eur::float8 as "pricingAmountEur", ${table}.pricing_unit as "pricingUnit"`;

export const pricingOf = ({
  pricingModel,
  pricingAmountEur,
  pricingUnit,
}: PricingColumns): Pricing | null =>
  pricingModel === null || pricingAmountEur === null || pricingUnit === null
    ? null
    : { model: pricingModel, amountEur: pricingAmountEur, unit: pricingUnit };
