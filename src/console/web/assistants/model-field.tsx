import { useState } from 'react';
import { useGraphQuery } from '../graph/use-graph.ts';
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
      label="Model"
      name="model"
      options={[...modelOptions(models), ...unlisted]}
      value={value}
      onValue={setValue}
      // A non-breaking space keeps the height of the hint until the models are loaded.
      hint={
        chosen ? (abilitiesOf(chosen) ?? 'Its provider does not say what it can do.') : '\u00a0'
      }
      error={
        models?.isComplete && !isListed
          ? 'The provider no longer has this model. Choose another one.'
          : undefined
      }
      otherHint={models?.isComplete === false ? 'not listed by its provider' : undefined}
    />
  );
}

const modelOptions = (models: Models | undefined): ComboboxOption[] => [
  { value: '', label: models ? `Default (${models.usual})` : 'Default' },
  ...(models?.available ?? []).map((model) => ({
    value: model.name,
    label: model.name,
    hint: abilitiesOf(model),
  })),
];

/** What a model can do, as far as it is known. */
function abilitiesOf(model: Models['available'][number]): string | undefined {
  const abilities = [
    model.contextTokens !== null && `${model.contextTokens.toLocaleString()} tokens of context`,
    model.callsTools && 'tools',
    model.readsImages && 'images',
    model.reasons && 'reasoning',
    model.structuresOutput && 'structured output',
    model.callsTools === false && 'no tools, so it cannot search files',
  ].filter((ability) => typeof ability === 'string');
  return abilities.join(', ') || undefined;
}
