import type { PlainKey } from '../texts/catalogue.ts';
import { t } from '../texts/text.ts';
import { type AvatarColor, avatarColors } from '../ui/avatar.tsx';
import { NameField, SelectField, TextArea, TextField } from '../ui/fields.tsx';
import type { AssistantFieldsFragment } from './documents.ts';
import { ModelField } from './model-field.tsx';

export type AssistantTerms = Pick<
  AssistantFieldsFragment,
  | 'name'
  | 'description'
  | 'instructions'
  | 'model'
  | 'temperature'
  | 'stepLimit'
  | 'starterQuestions'
  | 'color'
>;

const colorTexts: Record<AvatarColor, PlainKey> = {
  GRAY: 'assistants.colorGray',
  RED: 'assistants.colorRed',
  ORANGE: 'assistants.colorOrange',
  GREEN: 'assistants.colorGreen',
  TEAL: 'assistants.colorTeal',
  BLUE: 'assistants.colorBlue',
  PURPLE: 'assistants.colorPurple',
  PINK: 'assistants.colorPink',
};

/** The name of a colour; null is the one that clients choose. */
export const colorLabel = (color: AvatarColor | null): string =>
  t(color === null ? 'assistants.automatic' : colorTexts[color]);

const colorOptions = () =>
  [null, ...avatarColors].map((color) => ({ value: color ?? '', label: colorLabel(color) }));

/** The form fields of an assistant. An empty field means the server's default. */
export function TermsFields({ terms }: { terms?: AssistantTerms }) {
  return (
    <>
      <NameField defaultValue={terms?.name} />
      <TextField
        label={t('assistants.description')}
        name="description"
        required={false}
        maxLength={300}
        autoComplete="off"
        defaultValue={terms?.description ?? ''}
        hint={t('assistants.descriptionHint')}
      />
      <TextArea
        label={t('assistants.instructions')}
        name="instructions"
        rows={6}
        maxLength={20_000}
        defaultValue={terms?.instructions ?? ''}
        hint={t('assistants.instructionsHint')}
      />
      <TextArea
        label={t('assistants.starterQuestions')}
        name="starterQuestions"
        rows={3}
        required={false}
        maxLength={1_300}
        defaultValue={terms?.starterQuestions.join('\n') ?? ''}
        hint={t('assistants.starterQuestionsHint')}
      />
      <div className="field-grid">
        <SelectField
          label={t('assistants.color')}
          name="color"
          options={colorOptions()}
          defaultValue={terms?.color ?? ''}
        />
        <ModelField model={terms?.model ?? null} />
        <TextField
          label={t('assistants.temperature')}
          name="temperature"
          type="number"
          min={0}
          max={2}
          step={0.05}
          placeholder={t('assistants.providerDefault')}
          defaultValue={terms?.temperature ?? ''}
          hint={t('assistants.temperatureHint')}
        />
        <TextField
          label={t('assistants.stepLimit')}
          name="stepLimit"
          type="number"
          required
          min={1}
          max={20}
          defaultValue={terms?.stepLimit ?? 5}
          hint={t('assistants.stepLimitHint')}
        />
      </div>
    </>
  );
}

/** Reads the fields as variables of the GraphQL mutation. */
export function readTerms(data: FormData) {
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)));
  return {
    name: text('name'),
    description: text('description'),
    instructions: text('instructions'),
    model: text('model') || null,
    temperature: number('temperature'),
    stepLimit: Number(text('stepLimit')),
    starterQuestions: text('starterQuestions')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    color: avatarColors.find((color) => color === text('color')) ?? null,
  };
}
