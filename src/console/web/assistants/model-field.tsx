import { useState } from 'react';
import { useGraphQuery } from '../graph/use-graph.ts';
import { t } from '../texts/text.ts';
import { Combobox, type ComboboxOption } from '../ui/combobox.tsx';
import { ModelsDocument, type ModelsQuery } from './documents.ts';

type Models = ModelsQuery['models'];

/** The choice of a model among those of the providers, with what each of them can do. */
export function ModelField({ model }: { model: string | null }) {
  const { data } = useGraphQuery(ModelsDocument, {});
  const [value, setValue] = useState(model ?? '');
  const models = data?.models;
  const chosen = models?.available.find(({ name }) => name === (value || models.usual));
  const isListed = value === '' || chosen !== undefined;
  const unlisted = isListed ? [] : [{ value, label: value }];
  return (
    <Combobox
      label={t('assistants.model')}
      name="model"
      options={[...modelOptions(models), ...unlisted]}
      value={value}
      onValue={setValue}
      // A non-breaking space keeps the height of the hint until the models are loaded.
      hint={chosen ? (abilitiesOf(chosen) ?? t('assistants.abilitiesUnknown')) : '\u00a0'}
      error={models?.isComplete && !isListed ? t('assistants.modelGone') : undefined}
      otherHint={models?.isComplete === false ? t('assistants.notListed') : undefined}
    />
  );
}

const modelOptions = (models: Models | undefined): ComboboxOption[] => [
  {
    value: '',
    label: models
      ? t('assistants.defaultModelOf', { model: models.usual })
      : t('assistants.default'),
  },
  ...(models?.available ?? []).map((model) => ({
    value: model.name,
    label: model.name,
    hint: abilitiesOf(model),
  })),
];

/** What a model can do, as far as it is known. */
function abilitiesOf(model: Models['available'][number]): string | undefined {
  const abilities = [
    model.contextTokens !== null &&
      t('assistants.contextTokens', { contextTokens: model.contextTokens }),
    model.callsTools && t('assistants.tools'),
    model.readsImages && t('assistants.images'),
    model.reasons && t('assistants.modelReasoning'),
    model.structuresOutput && t('assistants.structuredOutput'),
    model.callsTools === false && t('assistants.noTools'),
  ].filter((ability) => typeof ability === 'string');
  return abilities.join(', ') || undefined;
}
