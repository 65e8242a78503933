import { type Fragment, fragment } from '../../platform/database/sql.ts';

/** What a sponsored workspace costs the partner. Only platform support sets it. */
export type Pricing = { model: string; amountEur: number; unit: string };

/** The same in a row: three columns cost less than an object that Postgres puts together. */
export type Priced = {
  pricingModel: string | null;
  pricingAmountEur: number | null;
  pricingUnit: string | null;
};

export const pricingColumns = (of: Fragment) =>
  fragment`${of}.pricing_model as "pricingModel", ${of}.pricing_amount_eur::float8 as "pricingAmountEur", ${of}.pricing_unit as "pricingUnit"`;

export const pricingOf = ({
  pricingModel,
  pricingAmountEur,
  pricingUnit,
}: Priced): Pricing | null =>
  pricingModel === null || pricingAmountEur === null || pricingUnit === null
    ? null
    : { model: pricingModel, amountEur: pricingAmountEur, unit: pricingUnit };
